import { ApplicationFailure } from '@temporalio/common';
import { messageOf } from '../../agent/errors/error';
import { isJsonObject, type JsonObject } from '../../agent/values/json';

/** What the provider said, without the advice for a run. */
export function problemOf(error: unknown): string {
  const problem = failureData(error)?.problem;
  return typeof problem === 'string' ? problem : messageOf(error);
}

/** What else the failure of a call says. */
export function failureData(error: unknown): JsonObject | undefined {
  const [data] = error instanceof ApplicationFailure ? (error.details ?? []) : [];
  return isJsonObject(data) ? data : undefined;
}
