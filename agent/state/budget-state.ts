import type { Amounts, BudgetKind, BudgetLimits } from '../budget/amounts';

/** What a budget is for: the whole run, or the exchange in progress. */
export type BudgetScope = 'run' | 'exchange';

/** The limit that a run, or an exchange, has reached. */
export interface BudgetReached {
  /** Whether it is a limit of the run or of the exchange. */
  scope: BudgetScope;
  /** What is limited. */
  kind: BudgetKind;
}

/** The budget of a run that has one. Times are milliseconds since 1970. */
export interface BudgetState {
  /** The limits in force. A raise changes them. */
  run: BudgetLimits;
  /** Those of each exchange. */
  exchange: BudgetLimits;
  /** The fraction at which the model is told. */
  soft: number;
  /** When the run started. */
  startedAt: number;
  /** When the exchange began, and what the run had spent by then. */
  began: { at: number; spent: Amounts };
  /** Milliseconds of work so far. */
  worked: number;
  /** Tokens of the last model call. */
  last?: { prompt: number; completion: number };
  /** Set aside for calls in progress: the model call as `model`, child agents by the id of their call. */
  reserved: { [key: string]: Partial<Amounts> };
  /** The model has been told that these run out. */
  told: BudgetReached[];
  /** Why the run, or the exchange, has to conclude. */
  reached?: BudgetReached;
}
