import type { Lifecycle, PrefixRef, ToolOutcome } from './activities';
import type { EndReason } from './fact';
import type { Json, JsonObject } from './json';
import type { Manifest, Pin, RunContext } from './manifest';
import type { Message } from './message';
import type { CallProblem, Usage } from './model-answer';

/** One call of the batch under way. */
export interface AwaitingCall {
  toolUseId: string;
  name: string;
  input: JsonObject;
  /** Set where the call is not run at all: the model reads why. */
  problem?: CallProblem;
  /** Set when the call has settled; the messages follow when the whole batch has. */
  outcome?: ToolOutcome;
}

/** A call of a `once` tool of which nobody knows whether it took effect. */
export interface UnknownOutcome {
  toolUseId: string;
  name: string;
  /** Hash of the canonical JSON of the arguments. */
  input: string;
}

/**
 * All that a run knows, one serialisable value. It is computed from history alone: what continue-as-new carries and
 * what fixtures record.
 */
export interface AgentState {
  version: 1;
  id: string;
  agent: string;
  /** Temporal run id of the first run of the chain: idempotency keys hang on it. */
  firstRunId: string;
  input: Json;
  owner?: string;
  metadata: JsonObject;
  /** Grows when the past of the transcript is rewritten. */
  epoch: number;
  /** From a caller's message to the answer; 1 in a task. */
  exchange: number;
  manifest?: Manifest;
  context?: RunContext;
  pin?: Pin;
  lifecycle: Lifecycle;
  /** Model calls made so far. */
  turn: number;
  /** Counted calls; self-correction counts, the concluding call does not. */
  toolInteractions: { current: number; max: number };
  /** Place of the model in use in the manifest's chain. */
  model: number;
  /** The concluding call, without tools, has been asked for. */
  concluding: boolean;
  messages: Message[];
  /** What the last model call carried. */
  sent: PrefixRef;
  awaiting: AwaitingCall[];
  toolTypeCounts: { [name: string]: number };
  unknownOutcomes: UnknownOutcome[];
  usage: Usage;
  executionUnits: number;
  /** Facts recorded so far. */
  facts: number;
  end?: { reason: EndReason; data?: Json; error?: { type: string; message: string; data?: JsonObject } };
}

/** The documented input of a run: what a plain Temporal client passes as the workflow's only argument. */
export interface RunInput {
  input?: Json;
  owner?: string;
  metadata?: JsonObject;
}

/** The documented result of a run. */
export interface RunResult<Data = Json> {
  data: Data;
  usage: Usage;
  executionUnits: number;
}

/** Answer of the state query: the state without its bulk, since an answer over 4 MiB never arrives. */
export type RunSummary = Omit<AgentState, 'messages' | 'manifest' | 'context' | 'input' | 'awaiting'> & {
  status: 'running' | EndReason;
  messages: number;
  /** The batch under way; results of settled calls are in the facts. */
  awaiting: (Omit<AwaitingCall, 'outcome'> & { settled: boolean })[];
  tools: string[];
};
