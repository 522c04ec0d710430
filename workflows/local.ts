import { isCancellation, proxyLocalActivities } from '@temporalio/workflow';
import { jsonBytes } from '../agent/json';
import { runShort } from './activity';
import type { ByteBudget } from './byte-budget';

/** Milliseconds after which a check whose worker says nothing is made again as an activity. */
const TIME_LIMIT = 5000;

/**
 * Runs a short check with the workflow task under way; as an activity of its own where that did not work out, the worker
 * being new to the run, or slow. It must change nothing: it may run twice.
 */
export async function runLocal<Result>(
  name: string,
  input: unknown,
  summary: string,
  bytes: ByteBudget,
): Promise<Result> {
  const check = proxyLocalActivities<Record<string, (input: unknown) => Promise<Result>>>({
    startToCloseTimeout: TIME_LIMIT,
    retry: { maximumAttempts: 1 },
    summary,
  })[name];
  try {
    if (check !== undefined) return await check(input);
  } catch (error) {
    if (isCancellation(error)) throw error;
  }
  // Only here do the arguments travel: those of many checks at once, such as after a restart, are too large for one task.
  const room = bytes.spend(jsonBytes(input));
  if (room !== undefined) await room;
  return runShort<Result>(name, input, summary);
}
