import type { DelegatedBy } from '../define/context';
import type { Usage } from '../model/answer';
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
  /** Set by an agent that delegates. */
  delegatedBy?: DelegatedBy;
  /** The `traceparent` of the caller (W3C Trace Context). The run's spans are then part of that trace. */
  traceparent?: string;
  /** The event that starts the run, in place of `input`. Its data is the input, and its sender gets the answer. */
  event?: ServiceEvent;
}

/** The result of a run. */
export interface RunResult<Data = Json> {
  /** The output as described by the agent's `output`, or the text of the answer. */
  data: Data;
  /** Tokens of all model calls, failed and interrupted attempts included. */
  usage: Usage;
  /** Cost of all model calls: money if models have prices, else tokens. */
  executionUnits: number;
  /** Money for all model calls. Missing if a model that answered has no prices. */
  cost?: number;
  /** Number of exchanges of a conversation. `data` is the answer of the last one, `null` if there was none. */
  exchanges?: number;
  /** The answer as an event, if an event started the run. */
  event?: ServiceEvent;
}
