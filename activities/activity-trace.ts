import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { messageOf } from '../agent/errors/error';
import type { Manifest, RunContext } from '../agent/protocol/manifest';
import type { SpanError } from '../agent/protocol/span';
import { parseTraceparent, type TraceContext } from '../agent/protocol/trace';
import type { Tracing } from '../runtime/telemetry/make-spans';

/** The worker's tracing and the run's trace context, if both make spans. */
export function tracingOf(
  tracing: Tracing | undefined,
  manifest: Pick<Manifest, 'traced'>,
  context: Pick<RunContext, 'traceparent'>,
): { tracing: Tracing; run: TraceContext } | undefined {
  const run = manifest.traced ? parseTraceparent(context.traceparent) : undefined;
  return tracing === undefined || run === undefined ? undefined : { tracing, run };
}

/** Describes a thrown error for a span. */
export function spanError(error: unknown): SpanError {
  const message = messageOf(error);
  if (error instanceof ApplicationFailure) return { type: error.type ?? 'Error', message };
  if (error instanceof CancelledFailure) return { type: 'Cancelled', message };
  return { type: error instanceof Error ? error.name : 'Error', message };
}
