import { HoldfastError } from '../../agent/errors/error';
import { checkRunInput } from '../../agent/protocol/check-run-input';
import { Unreadable } from '../../agent/values/unreadable';
import { lineageInMemo, refuseCycle } from './lineage';
import type { Run } from './run';

/**
 * Takes the input of the run.
 * @throws HoldfastError `InvalidInput`, `DelegationRefused`
 */
export function start(run: Run, given: unknown): void {
  const { agent } = run.state;
  if (given instanceof Unreadable) {
    throw new HoldfastError('InvalidInput', { agent, problem: `Its payload cannot be read: ${given.problem}` });
  }
  run.apply({ type: 'started', given: checkRunInput(agent, given), ...lineageInMemo() });
  refuseCycle(run.state);
}
