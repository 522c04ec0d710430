import type { BudgetKind } from '../budget/amounts';
import type { BudgetReached } from './budget-state';

/** One limit, and how far it is used: tokens, calls, milliseconds, or money in `currency`. */
export interface BudgetUse {
  /** The limit. */
  limit: number;
  /** What the run and its child agents have used. */
  spent: number;
  /** What is set aside for the model call in progress and for child agents that run. */
  reserved: number;
  /** What is left beside both. At least 0. */
  left: number;
  /** Part of `spent`: that of child agents that have ended. Missing: none. */
  children?: number;
  /** Of money. */
  currency?: string;
}

/** The budget of a run, by what is limited. */
export interface BudgetView {
  /** Limits of the whole run. */
  run: { [Kind in BudgetKind]?: BudgetUse };
  /** Limits of the exchange in progress, or of the last one. */
  exchange: { [Kind in BudgetKind]?: BudgetUse };
  /** The limit because of which it concludes. Missing: none is reached. */
  reached?: BudgetReached;
}
