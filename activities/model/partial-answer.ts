import type { PartialAnswer } from '../../agent/protocol/calls/model-call';
import { isJsonObject } from '../../agent/values/json';
import { ModelCallStopped } from './answer/stream-answer';

/** What had arrived when a model call failed, and what it cost, if its failure says so. */
export function partialOf(error: unknown): PartialAnswer | undefined {
  if (error instanceof ModelCallStopped) return error.partial;
  const details: unknown = error instanceof Error && 'details' in error ? error.details : undefined;
  const last: unknown = Array.isArray(details) ? details.at(-1) : undefined;
  return isJsonObject(last) && isJsonObject(last.usage) ? (last as unknown as PartialAnswer) : undefined;
}
