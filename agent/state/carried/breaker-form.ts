import { count, flag, listOf, maybe, objectOf, oneOf, recordOf, text } from '../../values/form';
import type { BreakerState, BreakerStop } from '../breaker-state';

/** The form of what breakers and the response analysis count. */
export const breakerForm = objectOf<BreakerState>({
  calls: count,
  changes: count,
  made: listOf(objectOf<BreakerState['made'][number]>({ key: text, reads: flag })),
  failing: objectOf<BreakerState['failing']>({ call: text, times: count }),
  told: flag,
  failures: recordOf(count),
  withdrawn: listOf(text),
  blockedRounds: count,
  failedRounds: count,
  empty: count,
  incomplete: count,
  deflecting: count,
  unchanged: count,
  stop: maybe(oneOf<BreakerStop>({ repeating: true, silent: true })),
});
