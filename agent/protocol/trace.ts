import type { AgentState } from '../state/state';
import { hashText } from '../values/hash';

/** A place in a trace, as W3C Trace Context writes it. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  /** Whoever began the trace wants its spans. */
  sampled: boolean;
}

const FORM = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NOTHING = /^0+$/;

/** Reads a `traceparent`; `undefined` for what is none, so that a trace of one's own begins, as the standard wants it. */
export function parseTraceparent(text: string | undefined): TraceContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = FORM.exec(text ?? '') ?? [];
  if (traceId === '' || NOTHING.test(traceId) || NOTHING.test(spanId) || text?.startsWith('ff')) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Writes a `traceparent`. */
export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** What the ids of a run's spans are made of: equal keys give equal ids, whichever worker asks and however often. */
export const SPAN_KEY = {
  turn: (turn: number) => `turn/${turn}`,
  llm: (callId: string, attempt: number) => `llm/${callId}/${attempt}`,
  tool: (toolUseId: string, attempt = 1) => `tool/${toolUseId}/${attempt}`,
  approval: (toolUseId: string) => `approval/${toolUseId}`,
} as const;

/** A place below a run's own: the span of a turn, or of a call. */
export function below(run: TraceContext, key: string): TraceContext {
  return { ...run, spanId: idOf(`${run.spanId}/${key}`) };
}

/**
 * The place of a run itself: in its caller's trace where that sent one, else in a trace that is made of the id of the
 * chain, so that neither a replay nor a continue-as-new makes another.
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
 * The `traceparent` that a run hands on: in the events, signals and inputs of children of the call `toolUseId`, or, without
 * it, in its own name. A run without spans hands on what it was given, as the standard wants it.
 */
export function traceparentOf(
  state: Pick<AgentState, 'traceparent' | 'initiator' | 'manifest' | 'context' | 'chainId'>,
  toolUseId?: string,
): string | undefined {
  if (state.manifest?.traced !== true) return callerOf(state);
  const run = parseTraceparent(state.context?.traceparent) ?? runTrace(state.chainId, callerOf(state));
  return formatTraceparent(toolUseId === undefined ? run : below(run, SPAN_KEY.tool(toolUseId)));
}

/** An id of zeros only is none. */
function idOf(text: string, seed = ''): string {
  const id = hashText(text, seed);
  return NOTHING.test(id) ? `${id.slice(1)}1` : id;
}
