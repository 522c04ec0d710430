import { formatTraceparent } from '../../agent/protocol/trace';

/** The trace context of the active span in the caller's code; `undefined` if OpenTelemetry is not in use. */
export function activeTraceparent(): string | undefined {
  const { isSpanContextValid, trace } = require('@opentelemetry/api') as typeof import('@opentelemetry/api');
  const span = trace.getActiveSpan()?.spanContext();
  if (span === undefined || !isSpanContextValid(span)) return undefined;
  const { traceId, spanId, traceFlags } = span;
  return formatTraceparent({ traceId, spanId, sampled: (traceFlags & 1) === 1 });
}
