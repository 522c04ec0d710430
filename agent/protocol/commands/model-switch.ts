import type { PriceSpec } from '../../budget/price-spec';
import type { Spending } from '../../model/cost/spending';

/** How a run was switched to another model. */
export interface ModelSwitch {
  /** Alias of the model that was in use. */
  from: string;
  /** Alias of the model that the next call uses. */
  to: string;
  /** False: it was in use already, and nothing has changed. */
  changed: boolean;
}

/** Asks whether a worker has a model. */
export interface CheckModelInput {
  alias: string;
  /** The run has called the model in use: whether that call waits for its next attempt is asked too. */
  inCall?: true;
}

/**
 * `patience`: milliseconds, if the alias has its own. `prices`: if it has any. `forcesCall`: its `toolChoice` forces a
 * call. `callWaits`: the call in progress has failed and waits for its next attempt. `spent`: what its attempts have cost.
 * `known`: all aliases of the worker.
 */
export type CheckModelResult =
  | { ok: true; patience?: number; prices?: PriceSpec; forcesCall?: true; callWaits?: true; spent?: Spending }
  | { ok: false; known: string[] };
