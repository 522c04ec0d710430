import { HoldfastError } from '../../agent/errors/error';
import { ACTIVITY } from '../../agent/protocol/activities';
import type { HistoryRef } from '../../agent/protocol/entities/archive';
import { isJsonObject } from '../../agent/values/json';
import { BACK_OFF, runActivity } from '../run/scheduling/activity';

/** Milliseconds that one attempt may take: a worker replays the history for it. */
const ATTEMPT = 600_000;
/** Milliseconds between two attempts at most, where the storage is away for long. */
const LONGEST = 300_000;

/**
 * Keeps one history of a run in the archive. The run does not wait for it: it is tried again until the storage takes it, or
 * the server has deleted the history.
 * @returns whether it is kept
 */
export async function archive(given: unknown): Promise<boolean> {
  const { id, runId } = isJsonObject(given) ? given : {};
  if (typeof id !== 'string' || typeof runId !== 'string') {
    const problem = 'Expected the `id` and the `runId` of a history';
    throw new HoldfastError('InvalidMessage', { problem });
  }
  const ref: HistoryRef = { id, runId };
  return runActivity<boolean>(ACTIVITY.archive, ref, {
    startToCloseTimeout: ATTEMPT,
    heartbeatTimeout: 60_000,
    retry: { ...BACK_OFF, maximumInterval: LONGEST },
    summary: `keeps a history of ${id}`.slice(0, 100),
  });
}
