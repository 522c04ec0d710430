import { setTimeout as pause } from 'node:timers/promises';
import type { McpServer } from '../../agent/define/mcp-server';
import { type MediaPart, type TextPart, textOf } from '../../agent/model/message';
import { failedWithoutReason } from '../../agent/prompts/calls/failed-calls';
import {
  calledAgain,
  MCP_ANSWER,
  mcpAnswered,
  mcpAsked,
  mcpEnded,
  mcpRefused,
  mcpTimedOut,
  mcpUnsent,
} from '../../agent/prompts/calls/mcp-calls';
import { argumentsRefused } from '../../agent/prompts/calls/refused-calls';
import { asksPerson } from '../../agent/prompts/questions';
import type { InputRequired, ResumeTool, ToolErrorType } from '../../agent/protocol/calls/tool-call';
import type { ToolOf } from '../../agent/protocol/manifest';
import { defined } from '../../agent/values/defined';
import type { JsonObject } from '../../agent/values/json';
import { isNestedDeeper, MAX_DEPTH } from '../../agent/values/json-depth';
import { untilAborted } from '../../runtime/abort/until-aborted';
import { checkThirdParty } from '../schemas/third-party';
import type { McpConnections } from './connections';
import { serverFailed } from './discover';
import { inputRequired } from './input-required';
import type { McpCall, McpProgress } from './open-server';
import { resultParts } from './result-parts';
import { withoutSecrets } from './secrets';
import { ServerFailure } from './server-failure';

type McpErrorType = Extract<ToolErrorType, 'InvalidArguments' | 'ToolFailed' | 'ToolTimedOut' | 'McpServerFailed'>;

export interface McpCallResult {
  /** Whole, not cut. */
  content: (TextPart | MediaPart)[];
  error?: { type: McpErrorType; message: string };
  /** The server continues once people have answered. */
  needs?: InputRequired;
  /** It is unknown whether the call took effect: the server died, fell silent or gave an invalid answer during it. */
  unknown?: true;
  /** The server did not get the call, or refused it. */
  notRun?: true;
}

export interface McpCallContext {
  signal: AbortSignal;
  onProgress?: ((progress: McpProgress) => void) | undefined;
  /** Answers to what it requested before. */
  resume?: ResumeTool | undefined;
  /** Passed to the server in `_meta`. */
  traceparent?: string | undefined;
}

/**
 * Calls a tool of an MCP server, once. Every failure becomes a result.
 * @throws the signal's reason when it aborts; the server is told
 */
export async function callMcpTool(
  connections: McpConnections,
  definition: McpServer,
  spec: ToolOf<'mcp'>,
  args: JsonObject,
  { signal, onProgress, resume, traceparent }: McpCallContext,
): Promise<McpCallResult> {
  const { server, tool } = spec.mcp;
  const checked = await checkThirdParty(spec.inputSchema, args);
  if (!checked.ok) return notRun('InvalidArguments', argumentsRefused(checked));
  const told = ({ message, ...progress }: McpProgress) =>
    onProgress?.({ ...progress, ...(message === undefined ? {} : { message: withoutSecrets(message, definition) }) });
  const options = { signal, timeout: spec.timeout, inputSchema: spec.inputSchema, onProgress: told, traceparent };
  const callOnce = (goOn: ResumeTool | undefined) =>
    connections.use(definition, (open) => open.callTool(tool, args, { ...options, resume: goOn }), signal);
  try {
    const call = await untilItAsks(await callOnce(resume), callOnce, signal);
    return await resultOf(call, spec, (text) => withoutSecrets(text, definition));
  } catch (error) {
    if (!(error instanceof ServerFailure)) throw error;
    return notRun('McpServerFailed', serverFailed(server, definition, error).message);
  }
}

const TOO_DEEP = MCP_ANSWER.tooDeep(MAX_DEPTH);

/** Milliseconds before a server that only asks to be called again is called again, and how often that is done. */
const AGAIN = { pause: 250, most: 10 };

/** A busy server may ask to be called again without requesting anything: no person has to be asked. */
async function untilItAsks(
  first: McpCall,
  again: (resume: ResumeTool) => Promise<McpCall>,
  signal: AbortSignal,
): Promise<McpCall> {
  let call = first;
  for (let calls = 1; call.kind === 'asks' && Object.keys(call.requests).length === 0; calls++) {
    if (calls > AGAIN.most) return { kind: 'refused', problem: calledAgain(calls) };
    await untilAborted(pause(AGAIN.pause), signal);
    call = await again({ answers: [], ...defined({ state: call.state }) });
  }
  return call;
}

/** Error texts are stripped of the server's secrets; the output of a tool belongs to the model, unchanged. */
async function resultOf(
  call: McpCall,
  { modelName: name, mcp }: ToolOf<'mcp'>,
  clean: (text: string) => string,
): Promise<McpCallResult> {
  const { server } = mcp;
  const unreadable = (what: string): McpCallResult => ({
    ...failed('McpServerFailed', mcpAnswered(server, what)),
    unknown: true,
  });
  switch (call.kind) {
    case 'result': {
      const { content: blocks, structuredContent } = call.result;
      if (isNestedDeeper(blocks) || isNestedDeeper(structuredContent)) return unreadable(TOO_DEEP);
      const given = resultParts(call.result);
      if (call.result.isError !== true) return { content: given };
      const content = given.map((part) => (part.type === 'text' ? { ...part, text: clean(part.text) } : part));
      const message = textOf({ parts: content }) || failedWithoutReason(name);
      return { content, error: { type: 'ToolFailed', message } };
    }
    case 'asks': {
      if (isNestedDeeper(call.requests)) return unreadable(TOO_DEEP);
      const needs = await inputRequired(call.requests, call.state, clean);
      if ('problem' in needs) return failed('ToolFailed', mcpAsked(server, needs.problem));
      return { content: [{ type: 'text', text: asksPerson(name) }], needs };
    }
    case 'refused':
      return notRun('ToolFailed', mcpRefused(server, clean(call.problem)));
    case 'unsent':
      return notRun('McpServerFailed', mcpUnsent(server, call.problem));
    case 'died':
      return { ...failed('McpServerFailed', mcpEnded(server, call.problem)), unknown: true };
    case 'unreadable':
      return unreadable(MCP_ANSWER.invalid(call.problem));
    case 'timeout':
      return { ...failed('ToolTimedOut', mcpTimedOut(name, call.after / 1000)), unknown: true };
  }
}

function failed(type: McpErrorType, message: string): McpCallResult {
  return { content: [{ type: 'text', text: message }], error: { type, message } };
}

function notRun(type: McpErrorType, message: string): McpCallResult {
  return { ...failed(type, message), notRun: true };
}
