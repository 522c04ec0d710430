import type { ToolSpec } from '../protocol/manifest';

/** Milliseconds after the end of an attempt in which the worker may still report it, before the server times it out. */
const REPORT_TIME = 10_000;
/** Progress may extend a call of an MCP tool to this many times its timeout. */
const PROLONGED = 10;

/** Milliseconds that a call of an MCP tool may take in total, however often its server reports progress. */
export function longestCall(timeout: number): number {
  return timeout * PROLONGED;
}

/** Milliseconds that one attempt may take. An MCP server may have to be started first, outside the call itself. */
export function attemptTime(tool: ToolSpec): number {
  return tool.kind === 'mcp' ? longestCall(tool.timeout) + tool.mcp.startTimeout : tool.timeout;
}

/** The limit that the server enforces. Only a worker that no longer reports reaches it. */
export function startToClose(tool: ToolSpec): number {
  return attemptTime(tool) + REPORT_TIME;
}
