import type { ModelHeartbeat } from '../../protocol/calls/model-call';
import { isJsonObject } from '../../values/json';
import { NO_SPENDING, type Spending } from './spending';

/** What the details of a heartbeat say about the cost of a model call so far; `undefined` if they say nothing. */
export function spendingOf(heartbeat: unknown): Spending | undefined {
  const spending = fieldOf(heartbeat, 'spending');
  return isSpending(spending) ? spending : undefined;
}

/** Attempts of a model call. */
export type AccountedAttempts = Required<Pick<ModelHeartbeat, 'settled'>> & Pick<ModelHeartbeat, 'reserved'>;

/** The attempts that the details of a heartbeat tell apart, and what the one in progress may cost. */
export function attemptsOf(heartbeat: unknown): AccountedAttempts {
  const settled = fieldOf(heartbeat, 'settled');
  const reserved = fieldOf(heartbeat, 'reserved');
  const known =
    isJsonObject(settled) && typeof settled.attempts === 'number' && isSpending(settled.spending)
      ? { attempts: settled.attempts, spending: settled.spending }
      : { attempts: 0, spending: NO_SPENDING };
  return { settled: known, ...(isSpending(reserved) ? { reserved } : {}) };
}

function fieldOf(heartbeat: unknown, field: keyof ModelHeartbeat): unknown {
  return isJsonObject(heartbeat) ? heartbeat[field] : undefined;
}

export function isSpending(value: unknown): value is Spending {
  if (!isJsonObject(value) || !isJsonObject(value.usage)) return false;
  const { prompt, completion } = value.usage;
  return [prompt, completion, value.executionUnits].every(Number.isFinite);
}
