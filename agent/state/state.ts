import type { Grant, Remember, RuleVerdict } from '../approvals/approval';
import type { MessageReceipt, QueuedMessage } from '../conversation/messages';
import type { QuestionOutcome, QuestionState } from '../conversation/questions';
import type { DelegatedBy } from '../define/context';
import type { CallProblem, Usage } from '../model/answer';
import type { ContextBudget, ContextWindow } from '../model/context-window';
import type { Message } from '../model/message';
import type { Lifecycle, PrefixRef } from '../protocol/activities';
import type { ServiceEvent } from '../protocol/event';
import type { EndReason } from '../protocol/fact';
import type { Manifest, Pin, RunContext } from '../protocol/manifest';
import type { ToolOutcome } from '../protocol/tool-call';
import type { UndoEntry } from '../protocol/undo';
import type { Json, JsonObject } from '../values/json';

/** One call of the batch under way. `open`: it runs, or waits; the messages follow when the whole batch has settled. */
export type BatchCall = CallFacts &
  (
    | { status: 'open' }
    /** It is not run at all: the model reads why. */
    | { status: 'rejected'; problem: CallProblem }
    | { status: 'settled'; outcome: ToolOutcome }
  );

/** What is known of a call, whatever became of it. */
export interface CallFacts {
  toolUseId: string;
  name: string;
  input: JsonObject;
  /** SHA-256 of the arguments, as the worker computed it. */
  hash: string;
  /** What the rules of the tool say of the call. */
  ruled?: RuleVerdict;
  /** Calls of one lane run one after the other, in order. Missing: the call waits for no other one. */
  lane?: string;
  /** Set while, and after, a person is asked. */
  approval?: ApprovalState;
  /** Set while, and after, the call asks a person something. */
  questions?: QuestionState[];
  /** Set while the answer of a service is awaited. */
  service?: AwaitedService;
}

/** The question whether a call may run, and what became of it. */
export type ApprovalState = ApprovalQuestion & ({ status: 'asked' } | { status: 'decided'; decision: ApprovalOutcome });

/** The question whether a call may run. Times are milliseconds since 1970. */
export interface ApprovalQuestion {
  /** Of the arguments. */
  hash: string;
  /** What a decision that is remembered holds for. */
  key: string;
  requestedAt: number;
  expiresAt?: number;
  deciders?: string[];
  escalated?: true;
  /** The call of unknown outcome that this one repeats. */
  repeats?: string;
  /** What is remembered for all runs of the agent could not be read. */
  grantsUnread?: true;
}

/** How a question was decided; by nobody where it expired. */
export interface ApprovalOutcome {
  /** What was decided; `expired` where nobody did in time. */
  decision: 'approve' | 'deny' | 'edit' | 'expired';
  /** Who decided. */
  by?: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The comment, or the reason. */
  comment?: string;
  /** How long it holds. Missing: for this call. */
  remember?: Remember;
  /** The arguments that run instead. */
  edit?: EditedArguments;
}

/** Arguments that a person put in the place of the model's. */
export interface EditedArguments {
  input: JsonObject;
  /** SHA-256 of the arguments. */
  hash: string;
  /** What `rememberBy` says of them. */
  key: string;
}

/**
 * A service that was asked. What came back is not checked yet: answers are checked once all calls of the batch have settled.
 * Times are milliseconds since 1970.
 */
export type AwaitedService = ServiceRequest &
  ({ status: 'awaited' } | { status: 'answered'; answer: ServiceAnswer; answeredAt: number });

/** How a service was asked. */
export interface ServiceRequest {
  /** The child workflow's id, or the id of the event; for a signal service the idempotency key. */
  ref: string;
  /** How it was reached. */
  kind: 'child' | 'agent' | 'event' | 'signal';
  since: number;
  expiresAt?: number;
}

/** What came back from a service: data, or a failure. */
export interface ServiceAnswer {
  /** Of the event; missing where plain data came back. */
  type?: string;
  /** Of the event, where it names its contract. */
  dataschema?: string;
  data?: Json;
  error?: string;
  /** In execution units, where it says so. */
  executionUnits?: number;
}

/** A call of a `once` tool of which nobody knows whether it took effect. */
export interface UnknownOutcome {
  toolUseId: string;
  name: string;
  /** SHA-256 of the arguments. */
  hash: string;
}

/** Where a run is in its life. */
export type Phase =
  /** Its agent is looked up, and its first messages are made. */
  | { at: 'starting' }
  /** It is a conversation that waits for a message. */
  | { at: 'idle' }
  /** It asks the model, or, where the batch has calls, runs them. */
  | { at: 'working' }
  /** The model in use does not answer. */
  | ({ at: 'outage' } & Outage)
  | ({ at: 'ended' } & RunEnd);

/** A model that does not answer. Times are milliseconds since 1970; `nextAt` is missing while it is asked again. */
export interface Outage {
  since: number;
  failures: number;
  error: { type: string; message: string };
  nextAt?: number;
}

/** How a run ended. */
export interface RunEnd {
  reason: EndReason;
  data?: Json;
  error?: { type: string; message: string; data?: JsonObject };
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
  /** Where it is in its life. */
  phase: Phase;
  /**
   * Names the Temporal runs that this run consists of: idempotency keys and trace ids are made of it. A cron run and a
   * workflow retry get another one, a reset keeps it.
   */
  chainId: string;
  /** What the run was started with. */
  input: Json;
  /** Who it belongs to. */
  owner?: string;
  /** What its caller attached. */
  metadata: JsonObject;
  /** Grows when the past of the transcript is rewritten. */
  epoch: number;
  /** From a caller's message to the answer; 1 in a task, 0 in a conversation before its first message. */
  exchange: number;
  /** Index of the message that opened the exchange; -1 before the first. */
  opened: number;
  /** Messages that wait for their exchange. */
  inbox: QueuedMessage[];
  /** Messages that the model reads at its next call. */
  steers: QueuedMessage[];
  /** Told to the model at its next call. */
  notes: string[];
  /** What became of messages that had an id. */
  taken: { [messageId: string]: MessageReceipt };
  /** No message is taken any more: the run ends when those that wait are answered. */
  closing?: { why: 'closed' | 'idle'; by?: string };
  /** What a person called the conversation. */
  title?: string;
  /** Answer of the last exchange that had one. */
  answer?: { exchange: number; data: Json };
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
  /** Turns of the task, or of the exchange, that gave an invalid output, and what was wrong with the last. Missing: none did. */
  rejected?: { attempts: number; problem: string };
  /** The transcript. Index 0 is the first message. */
  messages: Message[];
  /** What the last model call carried. */
  sent: PrefixRef;
  /** The batch under way; empty between batches. */
  batch: BatchCall[];
  /** Calls so far, by canonical name. */
  toolTypeCounts: { [name: string]: number };
  /** Calls that must not be made again. */
  unknownOutcomes: UnknownOutcome[];
  /** Decisions of persons so far, by call. */
  decided: { [toolUseId: string]: Pick<ApprovalOutcome, 'decision' | 'by' | 'at'> };
  /** How questions of the run ended, by question. */
  replied: { [questionId: string]: Pick<QuestionOutcome, 'action' | 'by' | 'at'> };
  /** Calls that took effect, the oldest first. */
  effects: UndoEntry[];
  /** What of the transcript is sent. */
  trimming: ContextWindow;
  /** What the last model call took of the window. */
  budget?: ContextBudget;
  /** Decisions that hold for the rest of the run. */
  grants: Grant[];
  /** Answers and decisions that changed nothing, by why. */
  ignored: { [why: string]: number };
  /** Signals of names that mean nothing, by name: the first 50 names, shortened to 100 characters. */
  unknownSignals?: { [name: string]: number };
  /** Who delegated to this run. */
  delegatedBy?: DelegatedBy;
  /** Agents that wait for this run, where an event or a child workflow's start named them. */
  above?: string[];
  /** The event that started the run, without its data: the answer goes to whoever sent it. */
  initiator?: Omit<ServiceEvent, 'data'>;
  /** The caller's place in its trace (W3C Trace Context). */
  traceparent?: string;
  /** The `parentSubject$$` that came with the input. */
  parentSubject?: string;
  /** Tokens so far. */
  usage: Usage;
  /** Cost so far: money where models have prices, else tokens. */
  executionUnits: number;
  /** Facts recorded so far. */
  facts: number;
}
