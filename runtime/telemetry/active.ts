import { formatTraceparent } from '../../agent/protocol/trace';

/** The place of the span that is active in the caller's code; `undefined` where OpenTelemetry is not in use. */
export async function activeTraceparent(): Promise<string | undefined> {
  const { isSpanContextValid, trace } = await import('@opentelemetry/api');
  const span = trace.getActiveSpan()?.spanContext();
  if (span === undefined || !isSpanContextValid(span)) return undefined;
  const { traceId, spanId, traceFlags } = span;
  return formatTraceparent({ traceId, spanId, sampled: (traceFlags & 1) === 1 });
}
