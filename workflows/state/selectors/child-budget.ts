import { type BudgetLimits, KINDS } from '../../../agent/budget/amounts';
import { ANSWER_TOKENS } from '../../../agent/budget/budget';
import { priceOf } from '../../../agent/budget/price-spec';
import type { Free } from '../../../agent/budget/shares';
import { sumOf } from '../../../agent/model/cost/money';
import type { AgentState } from '../../../agent/state/state';
import { freeOf } from './budget';
import { isOpen, toolOf } from './calls';
import { modelInUse, pricesOf } from './model-in-use';

/** What child agents may spend together: what is left, without what the run itself needs to conclude. */
export function freeForChildren(state: AgentState, now: number): Free {
  const free = freeOf(state, now);
  const { prompt: sent, completion: said } = state.budgets?.last ?? { prompt: 0, completion: 0 };
  const completion = state.manifest?.modelSettings?.maxTokens ?? ANSWER_TOKENS;
  // The conclusion reads the results of the batch, which are answers as well.
  const prompt = sent + said + state.batch.length * completion;
  const price = pricesOf(state, modelInUse(state));
  const kept = {
    tokens: prompt + completion,
    cost: price === undefined ? 0 : priceOf(price, { prompt, completion }).amount,
    modelCalls: 1,
  };
  const rest: Free = { ...free };
  for (const kind of KINDS) {
    const left = free[kind];
    if (left !== undefined && (kind === 'tokens' || kind === 'cost' || kind === 'modelCalls'))
      rest[kind] = Math.max(0, sumOf(left, -kept[kind]));
  }
  return rest;
}

/** The budgets of the child agents of the batch that will be given a share, without that of one call. */
export function childrenToCome(state: AgentState, except: string): BudgetLimits[] {
  const reserved = state.budgets?.reserved ?? {};
  return state.batch.flatMap((call) => {
    const { toolUseId, name } = call;
    if (toolUseId === except || !isOpen(call) || Object.hasOwn(reserved, toolUseId)) return [];
    const tool = toolOf(state, name);
    return tool?.kind === 'service' && tool.service.kind === 'agent' ? [tool.service.budget?.run ?? {}] : [];
  });
}
