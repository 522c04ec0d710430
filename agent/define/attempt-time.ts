import type { ToolSpec } from '../protocol/manifest';

/** Milliseconds after the end of an attempt in which it may still report, before the server gives it up. */
const REPORT_TIME = 10_000;
/** Progress may prolong a call of an MCP tool to so many times its timeout. */
const PROLONGED = 10;

/** Milliseconds that a call of an MCP tool may take in all, however often its server reports progress. */
export function longestCall(timeout: number): number {
  return timeout * PROLONGED;
}

/** Milliseconds that one attempt may take: an MCP server may have to be started first, which is no part of the call. */
export function attemptTime(tool: ToolSpec): number {
  return tool.kind === 'mcp' ? longestCall(tool.timeout) + tool.mcp.startTimeout : tool.timeout;
}

/** The same as the server's limit, which only a worker that no longer reports runs into. */
export function startToClose(tool: ToolSpec): number {
  return attemptTime(tool) + REPORT_TIME;
}
