import type { AgentState } from '../state/state';
import { hashText } from '../values/hash';

/** A position in a trace, as in W3C Trace Context. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  /** The system that began the trace records its spans. */
  sampled: boolean;
}

const FORM = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NOTHING = /^0+$/;

/** Parses a `traceparent`. `undefined` if it is invalid: a new trace then begins, as the standard requires. */
export function parseTraceparent(text: string | undefined): TraceContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = FORM.exec(text ?? '') ?? [];
  if (traceId === '' || NOTHING.test(traceId) || NOTHING.test(spanId) || text?.startsWith('ff')) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Writes a `traceparent`. */
export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** Keys that the ids of a run's spans are made from: equal keys give equal ids, on any worker and at any time. */
export const SPAN_KEY = {
  turn: (turn: number) => `turn/${turn}`,
  llm: (callId: string, attempt: number, request: number) => `llm/${callId}/${attempt}/${request}`,
  tool: (toolUseId: string, attempt = 1) => `tool/${toolUseId}/${attempt}`,
  approval: (toolUseId: string) => `approval/${toolUseId}`,
} as const;

/** A position below the run: the span of a turn or of a call. */
export function below(run: TraceContext, key: string): TraceContext {
  return { ...run, spanId: idOf(`${run.spanId}/${key}`) };
}

/**
 * The position of the run itself: in the trace of its caller, or, if the caller sent none, in a trace made from the id
 * of the chain, so that neither a replay nor a continue-as-new begins another one.
 */
export function runTrace(chainId: string, caller: string | undefined): TraceContext {
  const { traceId, sampled } = parseTraceparent(caller) ?? {
    traceId: idOf(chainId, 'trace, first half') + idOf(chainId, 'trace, second half'),
    sampled: true,
  };
  return { traceId, spanId: idOf(chainId, 'run'), sampled };
}

/** The `traceparent` that a run was started with, by its caller or in the event. */
export function callerOf({
  traceparent,
  initiator,
}: Pick<AgentState, 'traceparent' | 'initiator'>): string | undefined {
  return traceparent ?? initiator?.traceparent;
}

/**
 * The `traceparent` that a run passes on in events, signals and inputs of children: that of the call `toolUseId`, or of
 * the run itself without one. A run without spans passes on the one that it was given, as the standard requires.
 */
export function traceparentOf(
  state: Pick<AgentState, 'traceparent' | 'initiator' | 'manifest' | 'context' | 'chainId'>,
  toolUseId?: string,
): string | undefined {
  if (state.manifest?.traced !== true) return callerOf(state);
  const run = parseTraceparent(state.context?.traceparent) ?? runTrace(state.chainId, callerOf(state));
  return formatTraceparent(toolUseId === undefined ? run : below(run, SPAN_KEY.tool(toolUseId)));
}

/** Makes an id. An id of only zeros is not valid. */
function idOf(text: string, seed = ''): string {
  const id = hashText(text, seed);
  return NOTHING.test(id) ? `${id.slice(1)}1` : id;
}
