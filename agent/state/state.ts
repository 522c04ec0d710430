import type { Grant } from '../approvals/approval';
import type { BudgetSpec } from '../budget/budget';
import type { PriceSpec } from '../budget/price-spec';
import type { Calls, RunReport } from '../budget/report';
import type { MessageReceipt, QueuedMessage } from '../conversation/messages';
import type { QuestionOutcome } from '../conversation/questions';
import type { DelegatedBy } from '../define/context';
import type { ContextBudget, ContextSummary, ContextWindow } from '../model/context-window';
import type { Money } from '../model/cost/money';
import type { Unpriced } from '../model/cost/spending';
import type { Usage } from '../model/cost/usage';
import type { Message } from '../model/message';
import type { StructuredOutput } from '../model/structured-output';
import type { RepeatedError } from '../plan/repeated-errors';
import type { CompactRequest } from '../protocol/calls/compaction';
import type { Lifecycle } from '../protocol/calls/lifecycle';
import type { PrefixRef } from '../protocol/calls/model-call';
import type { UndoEntry } from '../protocol/commands/undo';
import type { ServiceEvent } from '../protocol/event';
import type { Manifest, Pin, RunContext } from '../protocol/manifest';
import type { ChainLink } from '../protocol/queries';
import type { PlanState } from '../strategy/step-plan';
import type { OfferedState } from '../tool-filter/tool-filter';
import type { Json, JsonObject } from '../values/json';
import type { ApprovalOutcome, BatchCall } from './batch';
import type { BreakerState } from './breaker-state';
import type { BudgetState } from './budget-state';
import type { Conclusion } from './conclusion';
import type { Phase } from './phase';

/** A call of a `once` tool that may or may not have taken effect. */
export interface UnknownOutcome {
  toolUseId: string;
  name: string;
  /** SHA-256 of the arguments. */
  hash: string;
}

/**
 * The whole state of a run, one serialisable value. It is computed from history alone. Continue-as-new carries it, and
 * fixtures record it.
 */
export interface AgentState {
  /** Version of this shape. */
  version: 1;
  /** The workflow id. */
  id: string;
  /** The agent's name, which is the workflow type. */
  agent: string;
  /** Where it is in its life. */
  phase: Phase;
  /**
   * Names the Temporal runs that this run consists of. Idempotency keys and trace ids are made from it. A cron run and
   * a workflow retry get a new one; a reset keeps it.
   */
  chainId: string;
  /** The input of the run. */
  input: Json;
  /** Who the run belongs to. */
  owner?: string;
  /** What its caller attached. */
  metadata: JsonObject;
  /** The version of the agent's contract that its caller asked for. */
  asksVersion?: string;
  /** Increases when the past of the transcript is rewritten. */
  epoch: number;
  /** Number of the exchange (a caller's message to its answer): 1 in a task, 0 in a conversation without messages. */
  exchange: number;
  /** Index of the message that opened the exchange; -1 before the first. */
  opened: number;
  /** Milliseconds since 1970: since when a conversation waits for a message. Missing while it works. */
  idleSince?: number;
  /** Messages that wait for their exchange. */
  inbox: QueuedMessage[];
  /** Messages that the model reads at its next call. */
  steers: QueuedMessage[];
  /** Notes that the model reads at its next call. */
  notes: string[];
  /** Receipts of messages that had an id. */
  taken: { [messageId: string]: MessageReceipt };
  /** The run takes no more messages and ends when the waiting ones are answered. */
  closing?: { why: 'closed' | 'idle'; by?: string };
  /** The title that a person gave the conversation. */
  title?: string;
  /** Answer of the last exchange that had one. */
  answer?: { exchange: number; data: Json };
  /** The agent as it was when the run began. Missing until it is looked up. */
  manifest?: Manifest;
  /** The system prompt and what the caller attached. Missing until it is built. */
  context?: RunContext;
  /** Hashes of the manifest and the context. */
  pin?: Pin;
  /** Why the model is called next, or was called last. */
  lifecycle: Lifecycle;
  /** Model calls made so far. */
  turn: number;
  /** Counted calls. Self-correction counts, the concluding call does not. */
  toolInteractions: { current: number; max: number };
  /** What breakers and the response analysis count. Missing: nothing yet. */
  breakers?: BreakerState;
  /** Index of the current model in the chain. */
  model: number;
  /** How models are asked for JSON, by alias, since their servers refused a better way. Missing: none did. */
  downgrades?: { [alias: string]: StructuredOutput };
  /**
   * The model that a person chose: it takes the place `at` in the manifest's chain, and later exchanges begin with it.
   * `patience`: that of its alias, in milliseconds. `forcesCall`: its `toolChoice` forces a call.
   */
  chosen?: { alias: string; at: number; patience?: number; prices?: PriceSpec; forcesCall?: true };
  /** Why the concluding call, without tools, has been requested; `false`: it has not. */
  concluding: false | Conclusion;
  /** Turns of the task or the exchange with an invalid output, and what was wrong with the last. Missing: none. */
  rejected?: { attempts: number; problem: string };
  /** What the model reads in the call of this turn only. */
  reminder?: { turn: number; text: string };
  /** Calls in text: the error that the last turns ended with. Missing: the last one had none. */
  repeated?: RepeatedError;
  /** The transcript. Index 0 is the first message. */
  messages: Message[];
  /** The messages that the last model call sent. */
  sent: PrefixRef;
  /**
   * The model that was asked last, and the turn of its first call. Missing: none was asked in this history. Missing
   * `model`: the last answer was dropped.
   */
  asked?: { model?: string; since: number };
  /** The plan of an exchange, of an agent with the strategy `plan`. Missing: none was made. */
  plan?: PlanState;
  /** The current batch. Empty between batches. */
  batch: BatchCall[];
  /** Number of calls so far, by canonical name. */
  toolTypeCounts: { [name: string]: number };
  /** Calls that must not be made again. */
  unknownOutcomes: UnknownOutcome[];
  /** Decisions of people so far, by call. */
  decided: { [toolUseId: string]: Pick<ApprovalOutcome, 'decision' | 'by' | 'at'> };
  /** How questions of the run ended, by question. */
  replied: { [questionId: string]: Pick<QuestionOutcome, 'action' | 'by' | 'at'> };
  /** Calls that took effect, the oldest first. */
  effects: UndoEntry[];
  /** Which part of the transcript is sent. */
  trimming: ContextWindow;
  /** What is sent in place of the oldest messages, if `trimming` names it. */
  summary?: ContextSummary;
  /** Length of the transcript when it was last compacted, with or without success, and the request of a person. */
  compaction?: { tried: number; asked?: CompactRequest };
  /** Hash of the turn message whose text this history has last. Missing: it has none. */
  sections?: string;
  /** How much of the window the last model call took. */
  budget?: ContextBudget;
  /** Which tools the last call offered, and those that a search found. Missing: the agent has no tool filter. */
  offered?: OfferedState;
  /** Decisions that apply to the rest of the run. */
  grants: Grant[];
  /** Number of answers and decisions that changed nothing, by reason. */
  ignored: { [why: string]: number };
  /** Number of signals with unknown names, by name: the first 50 names, shortened to 100 characters. */
  unknownSignals?: { [name: string]: number };
  /** The call that delegated to this run. */
  delegatedBy?: DelegatedBy;
  /** Agents that wait for this run, if an event or the start of a child workflow named them. */
  above?: string[];
  /** The event that started the run, without its data. The answer goes to its sender. */
  initiator?: Omit<ServiceEvent, 'data'>;
  /** The `traceparent` of the caller (W3C Trace Context). */
  traceparent?: string;
  /** The `parentSubject$$` that came with the input. */
  parentSubject?: string;
  /** Tokens of its own model calls so far. */
  usage: Usage;
  /** Cost of its own model calls so far: money if models have prices, else tokens. */
  executionUnits: number;
  /** Money for its own model calls so far. Missing if no model that answered has prices. */
  cost?: Money;
  /** Money in other currencies than that of `cost`. */
  otherCosts?: Money[];
  /** Its own calls of models without prices. */
  unpriced?: Unpriced;
  /** What child agents have used. Missing: none has reported any. */
  children?: RunReport & { runs: number };
  /** Its own calls so far. */
  calls: Calls;
  /** What it may spend. Missing: nothing is limited. */
  budgets?: BudgetState;
  /** The budget that its caller gave it. */
  givenBudget?: BudgetSpec;
  /** Number of facts so far. */
  facts: number;
  /** The Temporal runs before this one, the oldest first: as many of the newest as may be carried. */
  chain: ChainLink[];
  /** How many Temporal runs there were before this one. */
  continued: number;
}
