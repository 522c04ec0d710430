import { workflowInfo } from '@temporalio/workflow';
import { type BudgetSpec, bothOf, SOFT } from '../../../agent/budget/budget';
import { unpriced } from '../../../agent/budget/price-spec';
import { HoldfastError } from '../../../agent/errors/error';
import type { Manifest } from '../../../agent/protocol/manifest';
import type { Run } from '../run';

/**
 * Gives the run its budget: that of its agent, and that of its caller, which can only be less.
 * @throws HoldfastError `InvalidInput` where a budget in money cannot be kept with the agent's models
 */
export function limitRun(run: Run): void {
  const { agent, manifest, givenBudget } = run.state;
  const none: BudgetSpec = { run: {}, exchange: {} };
  if (manifest === undefined || (manifest.budget ?? givenBudget) === undefined) return;
  const own = manifest.budget ?? none;
  const given = givenBudget ?? none;
  const currencies = [own.run, own.exchange, given.run, given.exchange].flatMap(({ cost }) => cost?.currency ?? []);
  const [currency] = currencies;
  if (currency !== undefined) {
    const other = currencies.find((one) => one !== currency);
    const problem =
      other === undefined
        ? unpriced(currency, modelsOf(manifest), manifest.prices)
        : `The agent's budget is in ${currency}, and the given one is in ${other}`;
    if (problem !== undefined)
      throw new HoldfastError('InvalidInput', { agent, problem: `\`budget.cost\`: ${problem}` });
  }
  const { run: whole, exchange, soft = SOFT } = bothOf(own, given);
  const startedAt = workflowInfo().startTime.getTime();
  run.apply({ type: 'budgeted', limits: { run: whole, exchange, soft }, startedAt });
}

/** Aliases of the chain, and of the model that writes summaries. */
function modelsOf({ models, context }: Manifest): string[] {
  return context?.model === undefined ? models : [...models, context.model];
}
