import type { DelegatedBy } from '../define/context';
import type { CallProblem, Usage } from '../model/answer';
import type { AgentState, BatchCall, CallFacts, Outage, RunEnd } from '../state/state';
import type { Json, JsonObject } from '../values/json';
import type { ServiceEvent } from './event';
import type { EndReason } from './fact';

/** The documented input of a run: what a plain Temporal client passes as the workflow's only argument. */
export interface RunInput {
  /** What the agent gets; `null` where it is missing. At most 1 MB. */
  input?: Json;
  /** Who the run belongs to. */
  owner?: string;
  /** Whatever the caller attaches; with `owner` at most 64 KB. */
  metadata?: JsonObject;
  /** Set by an agent that delegates. */
  delegatedBy?: DelegatedBy;
  /** The caller's place in its trace (W3C Trace Context): the run's spans are then part of that trace. */
  traceparent?: string;
  /** The event that starts the run, in place of `input`: its data is the input, and its sender gets the answer. */
  event?: ServiceEvent;
}

/** The documented result of a run. */
export interface RunResult<Data = Json> {
  /** What the agent's `output` describes, or the text of the answer. */
  data: Data;
  /** Tokens of all model calls, failed ones included. */
  usage: Usage;
  /** Cost of all model calls: money where models have prices, else tokens. */
  executionUnits: number;
  /** Of a conversation: exchanges that it had. `data` is the answer of the last one, `null` where there was none. */
  exchanges?: number;
  /** The answer as an event, where an event started the run. */
  event?: ServiceEvent;
}

/** Answer of the state query: the state without its bulk, since an answer over 4 MiB never arrives. */
export type RunSummary = Omit<
  AgentState,
  'messages' | 'manifest' | 'context' | 'input' | 'batch' | 'effects' | 'inbox' | 'taken' | 'phase'
> & {
  mode: 'task' | 'conversation';
  /** Messages that wait for their exchange. */
  queued: number;
  /** Calls that may be undone, the newest first. */
  undoable: { toolUseId: string; tool: string }[];
  status: 'running' | EndReason;
  /** It is a conversation that waits for a message. */
  idle: boolean;
  /** The model in use does not answer. */
  outage?: Outage;
  /** How it ended; missing while it runs. */
  end?: RunEnd;
  messages: number;
  /** The batch under way; results of settled calls are in the facts. */
  batch: (CallFacts & { status: BatchCall['status']; problem?: CallProblem })[];
  tools: string[];
};
