import { ApplicationFailure } from '@temporalio/common';
import type { PartialAnswer } from '../../agent/protocol/calls/model-call';
import { defined } from '../../agent/values/defined';
import { isJsonObject } from '../../agent/values/json';
import { ModelCallStopped } from './answer/stream-answer';

/** What had arrived when a model call failed, and what it cost, if its failure says so. */
export function partialOf(error: unknown): PartialAnswer | undefined {
  if (error instanceof ModelCallStopped) return error.partial;
  const details: unknown = error instanceof Error && 'details' in error ? error.details : undefined;
  const last: unknown = Array.isArray(details) ? details.at(-1) : undefined;
  return isJsonObject(last) && isJsonObject(last.usage) ? (last as unknown as PartialAnswer) : undefined;
}

/** The same failure, which tells what had arrived and what it cost. */
export function withPartial(
  { type, message, details, nonRetryable, nextRetryDelay }: ApplicationFailure,
  partial: PartialAnswer,
): ApplicationFailure {
  return ApplicationFailure.create({
    type: type ?? '',
    message,
    nonRetryable: nonRetryable === true,
    details: [details?.[0] ?? null, partial],
    ...defined({ nextRetryDelay: nextRetryDelay ?? undefined }),
  });
}
