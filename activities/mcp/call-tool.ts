import type { ToolErrorType } from '../../agent/activities';
import type { McpStdioServer } from '../../agent/define-agent';
import type { Json, JsonObject } from '../../agent/json';
import type { ToolSpec } from '../../agent/manifest';
import { type MediaPart, type TextPart, textOf } from '../../agent/message';
import { checkAgainstSchema } from '../schema-check';
import type { McpConnections } from './connections';
import { serverFailed } from './discover';
import type { McpCall, McpProgress } from './open-server';
import { resultParts } from './result-parts';
import { ServerFailure } from './server-failure';

type McpErrorType = Extract<ToolErrorType, 'InvalidArguments' | 'ToolFailed' | 'ToolTimedOut' | 'McpServerFailed'>;

export interface McpCallResult {
  /** Whole, not cut. */
  content: (TextPart | MediaPart)[];
  error?: { type: McpErrorType; message: string };
  /** Nobody knows whether the call took effect: the server died, fell silent or answered nonsense in the midst of it. */
  unknown?: true;
}

export interface McpCallContext {
  signal: AbortSignal;
  /** Gets the progress that the server reports. */
  heartbeat?: ((details: Json) => void) | undefined;
}

/**
 * Calls a tool of an MCP server, once. Whatever goes wrong is a result.
 * @throws the signal's reason when it aborts; the server is told
 */
export async function callMcpTool(
  connections: McpConnections,
  definition: McpStdioServer,
  spec: ToolSpec,
  args: JsonObject,
  { signal, heartbeat }: McpCallContext,
): Promise<McpCallResult> {
  const { server = '', tool = spec.name } = spec.mcp ?? {};
  const checked = checkAgainstSchema(spec.inputSchema, args);
  if (!checked.ok) return failed('InvalidArguments', `Arguments do not fit: ${checked.problem}`);
  const onProgress = heartbeat && ((progress: McpProgress) => heartbeat(progressDetails(progress)));
  const options = { signal, timeout: spec.timeout, onProgress };
  try {
    return resultOf(await connections.use(definition, (open) => open.callTool(tool, args, options), signal), spec);
  } catch (error) {
    if (!(error instanceof ServerFailure)) throw error;
    return failed('McpServerFailed', serverFailed(server, definition, error).message);
  }
}

function resultOf(call: McpCall, { name, mcp, timeout }: ToolSpec): McpCallResult {
  const server = `The MCP server \`${mcp?.server}\``;
  switch (call.kind) {
    case 'result': {
      const content = resultParts(call.result);
      if (call.result.isError !== true) return { content };
      const message = textOf({ parts: content }) || `\`${name}\` failed and did not say why.`;
      return { content, error: { type: 'ToolFailed', message } };
    }
    case 'refused':
      return failed('ToolFailed', `${server} refused the call: ${sentence(call.problem)}`);
    case 'unsent':
      return failed('McpServerFailed', `${server} ended before the call reached it: ${sentence(call.problem)}`);
    case 'died':
      return {
        ...failed('McpServerFailed', `${server} ended during the call: ${sentence(call.problem)}`),
        unknown: true,
      };
    case 'unreadable':
      return {
        ...failed('McpServerFailed', `${server} answered what is no result: ${sentence(call.problem)}`),
        unknown: true,
      };
    case 'timeout':
      return { ...failed('ToolTimedOut', `\`${name}\` did not answer in ${timeout / 1000} s.`), unknown: true };
  }
}

function failed(type: McpErrorType, message: string): McpCallResult {
  return { content: [{ type: 'text', text: message }], error: { type, message } };
}

function progressDetails({ progress, total, message }: McpProgress): Json {
  return { progress, ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) };
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
