import type { BudgetLimits } from '../../budget/amounts';
import type { BudgetReached, BudgetScope } from '../../state/budget-state';

/** How far a limit is used. `limit` and `spent` are tokens, calls, milliseconds, or money in `currency`. */
type Used = BudgetReached & { limit: number; spent: number; currency?: string };

/** Facts about the budget of a run. */
export type BudgetFact =
  /** Most of a limit is used. The model is told to finish. */
  | ({ type: 'budget.soft'; turn: number } & Used)
  /** A limit is used up, or leaves too little for another call. One more call concludes. */
  | ({ type: 'budget.reached'; turn: number } & Used)
  /** A person raised limits. `limits`: all that are in force. */
  | { type: 'budget.raised'; scope: BudgetScope; limits: BudgetLimits; by?: string }
  /** A child agent ended without saying what it used. All of its share counts as spent. */
  | { type: 'budget.lost'; turn: number; toolUseId: string; tokens: number; cost?: number; currency?: string };
