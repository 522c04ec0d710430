import type { Budget } from '../budget/budget';
import type { Calls } from '../budget/report';
import type { DelegatedBy } from '../define/context';
import type { SpentByRun } from '../model/cost/spending';
import type { BudgetReached } from '../state/budget-state';
import type { Json, JsonObject } from '../values/json';
import type { ServiceEvent } from './event';

/** The input of a run: the only argument of the workflow, also for a plain Temporal client. */
export interface RunInput {
  /** The input of the agent; `null` if missing. At most 1 MB. */
  input?: Json;
  /** Who the run belongs to. */
  owner?: string;
  /** Any data of the caller. At most 64 KB together with `owner`. */
  metadata?: JsonObject;
  /** The version of the agent's contract that the caller knows, such as `1.0.0`. Default: the newest. */
  version?: string;
  /** Set by an agent that delegates. */
  delegatedBy?: DelegatedBy;
  /** The `traceparent` of the caller (W3C Trace Context). The run's spans are then part of that trace. */
  traceparent?: string;
  /** What the run may spend, with its child agents. Both this and the agent's own budget apply. */
  budget?: Budget;
  /** The event that starts the run, in place of `input`. Its data is the input, and its sender gets the answer. */
  event?: ServiceEvent;
}

/** The result of a run. */
export interface RunResult<Data = Json> extends SpentByRun {
  /** The output as described by the agent's `output`, or the text of the answer. */
  data: Data;
  /** Calls of models and of tools, those of child agents included. */
  calls: Calls;
  /** The limit of its budget that ended the run. `data` is then the conclusion that was kept back for the end. */
  stoppedBy?: BudgetReached;
  /** Number of exchanges of a conversation. `data` is the answer of the last one, `null` if there was none. */
  exchanges?: number;
  /** The answer as an event, if an event started the run. */
  event?: ServiceEvent;
}
