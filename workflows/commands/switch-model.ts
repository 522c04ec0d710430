import { unpriced } from '../../agent/budget/price-spec';
import { HoldfastError } from '../../agent/errors/error';
import { ACTIVITY } from '../../agent/protocol/activities';
import type { CheckModelInput, CheckModelResult, ModelSwitch } from '../../agent/protocol/commands/model-switch';
import { decidesSince, SINCE } from '../../agent/protocol/decisions';
import { defined } from '../../agent/values/defined';
import { shorten } from '../../agent/values/shorten';
import type { Run } from '../run/run';
import { currencyOf } from '../state/selectors/budget';
import { modelInUse } from '../state/selectors/model-in-use';
import type { ModelChoice } from './checks/check-message';
import { checkNotEnded } from './checks/check-phase';
import { Parked } from './settle-command';

/**
 * Has the run use another model from its next call on. A worker first checks that it has the model, so that a wrong
 * alias is refused instead of ending the run at its next call.
 */
export function switchModel(
  run: Run,
  { model: alias, ...sender }: ModelChoice,
): ModelSwitch | Parked<CheckModelResult> {
  const known = inUse(run, alias);
  if (known !== undefined) return known;
  const isCalled = run.modelCall?.model === modelInUse(run.state) && decidesSince(run.state, SINCE.switchesCall);
  const input: CheckModelInput = { alias, ...(isCalled ? { inCall: true } : {}) };
  const check = { activity: ACTIVITY.checkModel, input, summary: shorten(`check the model ${alias}`, 100) };
  return new Parked(check, (verdict) => {
    if (!verdict.ok) throw new HoldfastError('UnknownModel', { alias, known: [], ...refusalOf(verdict) });
    // Meanwhile the run may have ended, or another person may have switched it.
    const now = inUse(run, alias);
    if (now !== undefined) return now;
    const { patience, prices, forcesCall, callWaits, spent } = verdict;
    const currency = currencyOf(run.state.budgets);
    const problem = currency && unpriced(currency, [alias], prices && { [alias]: prices });
    if (problem) throw new HoldfastError('ModelUnpriced', { alias, problem });
    const from = modelInUse(run.state);
    run.apply({ type: 'chosen', alias, ...defined({ patience, prices, forcesCall }), ...sender });
    if (callWaits && run.modelCall?.model === from) {
      Object.assign(run.modelCall, defined({ spent }));
      run.breakOff({ why: 'switched', ...sender });
    }
    return { from, to: alias, changed: true };
  });
}

/** A model in use is kept: in a conversation, the next exchange would otherwise begin with the first of the chain. */
function inUse(run: Run, alias: string): ModelSwitch | undefined {
  const { state } = run;
  checkNotEnded(state);
  if (modelInUse(state) !== alias) return undefined;
  if (state.chosen?.alias !== alias) run.apply({ type: 'chosen', alias });
  return { from: alias, to: alias, changed: false };
}

function refusalOf({ known, problem }: { known?: string[]; problem?: string }) {
  return defined({ known, problem });
}
