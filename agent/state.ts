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
  /** Of this shape. */
  version: 1;
  /** The workflow id. */
  id: string;
  /** The agent's name, which is the workflow type. */
  agent: string;
  /** Temporal run id of the first run of the chain: idempotency keys hang on it. */
  firstRunId: string;
  /** What the run was started with. */
  input: Json;
  /** Who it belongs to. */
  owner?: string;
  /** What its caller attached. */
  metadata: JsonObject;
  /** Grows when the past of the transcript is rewritten. */
  epoch: number;
  /** From a caller's message to the answer; 1 in a task. */
  exchange: number;
  /** The agent as it was when the run began; missing before that is known. */
  manifest?: Manifest;
  /** The system prompt, and what the caller attached; missing before it is built. */
  context?: RunContext;
  /** Hashes of the two. */
  pin?: Pin;
  /** Why the model is called next, or was called last. */
  lifecycle: Lifecycle;
  /** Model calls made so far. */
  turn: number;
  /** Counted calls; self-correction counts, the concluding call does not. */
  toolInteractions: { current: number; max: number };
  /** Place of the model in use in the manifest's chain. */
  model: number;
  /** The concluding call, without tools, has been asked for. */
  concluding: boolean;
  /** The transcript. Index 0 is the first message. */
  messages: Message[];
  /** What the last model call carried. */
  sent: PrefixRef;
  /** The batch under way; empty between batches. */
  awaiting: AwaitingCall[];
  /** Calls so far, by canonical name. */
  toolTypeCounts: { [name: string]: number };
  /** Calls that must not be made again. */
  unknownOutcomes: UnknownOutcome[];
  /** Tokens so far. */
  usage: Usage;
  /** Cost so far: money where models have prices, else tokens. */
  executionUnits: number;
  /** Facts recorded so far. */
  facts: number;
  /** How it ended; missing while it runs. */
  end?: { reason: EndReason; data?: Json; error?: { type: string; message: string; data?: JsonObject } };
}

/** The documented input of a run: what a plain Temporal client passes as the workflow's only argument. */
export interface RunInput {
  /** What the agent gets; `null` where it is missing. At most 1 MB. */
  input?: Json;
  /** Who the run belongs to. */
  owner?: string;
  /** Whatever the caller attaches; with `owner` at most 64 KB. */
  metadata?: JsonObject;
}

/** The documented result of a run. */
export interface RunResult<Data = Json> {
  /** What the agent's `output` describes, or the text of the answer. */
  data: Data;
  /** Tokens of all model calls, failed ones included. */
  usage: Usage;
  /** Cost of all model calls: money where models have prices, else tokens. */
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
