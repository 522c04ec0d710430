import type { ModelHeartbeat } from '../protocol/calls/model-call';
import { isJsonObject } from '../values/json';
import type { Spending } from './answer';

/** What the details of a heartbeat say about the cost of a model call so far; `undefined` if they say nothing. */
export function spendingOf(heartbeat: unknown): Spending | undefined {
  if (!isJsonObject(heartbeat)) return undefined;
  const field: keyof ModelHeartbeat = 'spending';
  const spending: unknown = heartbeat[field];
  return isSpending(spending) ? spending : undefined;
}

function isSpending(value: unknown): value is Spending {
  if (!isJsonObject(value) || !isJsonObject(value.usage)) return false;
  const { prompt, completion } = value.usage;
  return [prompt, completion, value.executionUnits].every(Number.isFinite);
}
