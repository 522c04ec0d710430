import { HoldfastError } from '../../agent/errors/error';
import { checkRunInput } from '../../agent/protocol/check-run-input';
import { isJsonObject } from '../../agent/values/json';
import { Unreadable } from '../../agent/values/unreadable';
import { goOn, inputAgain } from './carry/go-on';
import { init } from './init';
import { lineageInMemo, refuseCycle } from './lineage';
import type { Beginning, Run } from './run';

/**
 * Brings a run to its first turn, or to where the Temporal run before it has left off.
 * @throws HoldfastError `InvalidInput`, `DelegationRefused`, `UnknownStateVersion`, `InvalidCarriedState`
 */
export async function start(run: Run, given: unknown, beginning: Beginning): Promise<void> {
  switch (beginning.type) {
    case 'refused':
      throw beginning.error;
    case 'carried':
      return goOn(run, beginning.carried);
    case 'startOver':
      take(run, await inputAgain(run, beginning.runId, writerOf(given)));
      break;
    case 'new':
      take(run, given);
  }
  await init(run);
}

/** The run that wrote the value, which a schedule or a retry policy then gave to others. */
function writerOf(given: unknown): string {
  return isJsonObject(given) && typeof given.runId === 'string' ? given.runId : '';
}

/** Takes the input of the run. */
function take(run: Run, given: unknown): void {
  const { agent } = run.state;
  if (given instanceof Unreadable) {
    throw new HoldfastError('InvalidInput', { agent, problem: `Its payload cannot be read: ${given.problem}` });
  }
  run.apply({ type: 'started', given: checkRunInput(agent, given), ...lineageInMemo() });
  refuseCycle(run.state);
}
