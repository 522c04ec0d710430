import { amountText, KIND_WORDS, limitsText } from '../../../agent/budget/budget-text';
import type { BudgetFact } from '../../../agent/protocol/facts/budget-fact';

/** The text of a fact about the budget. */
export function budgetLine(fact: BudgetFact): string {
  switch (fact.type) {
    case 'budget.soft':
      return `${usedText(fact)}: the model is told to finish`;
    case 'budget.reached':
      return `${usedText(fact)}: one more call concludes`;
    case 'budget.raised': {
      const { scope, limits, by } = fact;
      return `${scope === 'run' ? 'the run' : 'each exchange'} may use ${limitsText(limits)}${by === undefined ? '' : `, raised by ${by}`}`;
    }
    case 'budget.lost': {
      const { toolUseId, tokens, cost, currency } = fact;
      const share = {
        ...(tokens === 0 ? {} : { tokens }),
        ...(cost === undefined ? {} : { cost: { amount: cost, currency: currency ?? '' } }),
      };
      return `${toolUseId}: the agent did not say what it used, and its share counts as spent: ${limitsText(share)}`;
    }
  }
}

function usedText({ scope, kind, limit, spent, currency }: Extract<BudgetFact, { spent: number }>): string {
  const what = scope === 'run' ? KIND_WORDS[kind] : `${KIND_WORDS[kind]} of the exchange`;
  return `${what}: ${amountText(kind, spent, currency)} of ${amountText(kind, limit, currency)}`;
}
