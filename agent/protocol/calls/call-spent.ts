import { isSpending } from '../../model/cost/spending-of';
import { isJsonObject } from '../../values/json';
import type { SpendingOfModel } from './model-call';

/**
 * Signal of an activity to its run: what the failed attempts of a model call have cost. While a call waits for its next
 * attempt, the server ends it without a word about the attempts before.
 */
export const CALL_SPENT = 'holdfast.callSpent';

/** The call of a summary, of which a run makes one at a time. */
export const SUMMARY_CALL = 'summary';

/** What {@link CALL_SPENT} says. */
export interface CallSpent {
  /** Id of the activity, without the number of a further try, or {@link SUMMARY_CALL}. */
  call: string;
  /** What all its attempts have cost so far. */
  spent: SpendingOfModel;
}

/** Whether what came with the signal is what an activity sends. */
export function isCallSpent(given: unknown): given is CallSpent {
  return isJsonObject(given) && typeof given.call === 'string' && isSpending(given.spent);
}
