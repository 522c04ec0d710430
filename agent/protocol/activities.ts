import type { Grant, PendingApproval } from '../approvals/approval';
import type { PendingQuestion } from '../conversation/questions';
import type { DelegatedBy } from '../define/context';
import type { ModelAnswer, Usage } from '../model/answer';
import type { ContextBudget, ContextWindow } from '../model/context-window';
import type { Message, ReasoningPart, TextPart } from '../model/message';
import type { Json, JsonObject } from '../values/json';
import type { ServiceEvent } from './event';
import type { JsonSchema, Manifest, Pin, RunContext } from './manifest';
import type { PendingService } from './pending-service';
import type { ResultWithAnswer } from './tool-call';

/** Why the model, or a builder, is called. */
export type Lifecycle = 'init' | 'message' | 'tool_result' | 'output_error_feedback';

export interface DescribeAgentResult {
  manifest: Manifest;
  hash: string;
}

export interface BuildContextInput {
  /** Hash of the manifest that `holdfast.describeAgent` returned. */
  manifest: string;
  input: Json;
  owner?: string;
  metadata: JsonObject;
  delegatedBy?: DelegatedBy;
  /** The caller's place in its trace. */
  traceparent?: string;
  /** What the ids of spans are made of; set where the run makes spans. */
  chainId?: string;
}

export interface BuildContextResult {
  context: RunContext;
  /** Hash of `context`. */
  hash: string;
  messages: Message[];
}

/** Names the messages `[0, length)` of one epoch of a run's transcript. */
export interface PrefixRef {
  epoch: number;
  length: number;
  hash: string;
}

export interface CallModelInput {
  pin: Pin;
  /** Number of this call in the run, from 1. */
  turn: number;
  lifecycle: Lifecycle;
  /** Alias of the model. */
  model: string;
  /** Another model has shown text in this turn already, which is withdrawn first. */
  takesOver?: true;
  /** `none`: tools stay in the request, but the model has to conclude. */
  toolChoice?: 'none';
  /** What earlier calls carried. */
  prefix: PrefixRef;
  /** The whole transcript of this call. */
  transcript: PrefixRef;
  /** What of the transcript is sent. Missing: the window is not known, and all of it. */
  trimming?: ContextWindow;
  /** With `trimming`: index of the message that opened the exchange, sent even where older ones no longer are. */
  opened?: number;
  /** What the keys of tools are made of that run with the answer. Missing: the agent has none of these. */
  chainId?: string;
  /** The messages between the two; left out where they are too large, then the activity fetches them. */
  delta?: Message[];
}

/** Details of the `CancelledFailure` (and of a final failure) of a model call. */
export interface PartialAnswer {
  /** What had arrived. */
  parts: (TextPart | ReasoningPart)[];
  usage: Usage;
  executionUnits: number;
  /** Where the model refused the call as too long: what the next one may send. Missing: nothing more can be left out. */
  trimming?: ContextWindow;
}

/** What the call took of the model's window, and what of the transcript the next one sends. */
export interface MeasuredCall {
  budget: ContextBudget;
  trimming: ContextWindow;
}

/** `results`: what became of calls that ran with the answer, in the order of the calls. Missing: none did. */
export type CallModelResult = ModelAnswer & Partial<MeasuredCall> & { results?: ResultWithAnswer[] };

export interface BuildOutputInput {
  pin: Pin;
  turn: number;
  content: string;
}

export type BuildOutputResult = { data: Json } | { error: string };

/** Whether an answer to a question fits its schema. */
export interface CheckReplyInput {
  schema: JsonSchema;
  answer: Json;
}

export interface CheckArgumentsInput {
  pin: Pin;
  toolUseId: string;
  name: string;
  input: JsonObject;
}

/** Whether arguments fit, their hash, and what a decision about them that is remembered holds for. */
export type CheckArgumentsResult =
  | {
      ok: true;
      /** What stands for the arguments after coercion. Missing: they fit as they are. */
      input?: JsonObject;
      hash: string;
      key: string;
    }
  | { ok: false; problem: string };

/** Whether it fits, and what stands for it where a person wrote a text for a number, say. */
export type CheckReplyResult = { ok: true; value?: Json } | { ok: false; problem: string };

/** `problem` is one line that names each failing path. */
export type SchemaVerdict = { ok: true } | { ok: false; problem: string };

/** `type`: which answer of the contract it is. */
export type AnswerVerdict = { ok: true; type?: string } | { ok: false; problem: string };

/** The answers of services of one batch, to be checked together. */
export interface CheckAnswersInput {
  pin: Pin;
  answers: AnswerToCheck[];
}

/** What came back from the service `name`. */
export interface AnswerToCheck {
  name: string;
  /** Of the event; missing where plain data came back: it may then fit any of the contract's answers. */
  type?: string;
  data: Json;
}

/** Whose decisions are asked for, or kept: one person's grant is not another's. */
export interface GrantScope {
  agent: string;
  owner?: string;
}

export type ReadGrantsInput = GrantScope & { wanted: { tool: string; key: string }[] };

/** For each wanted, in order; `null` where nothing is remembered. */
export type ReadGrantsResult = (Grant | null)[];

export type WriteGrantsInput = GrantScope & { grants: Grant[] };

export interface SendEventInput {
  /** Name of the outlet in the worker's configuration. */
  outlet: string;
  event: ServiceEvent;
}

/** Names of the framework's own activities; the prefix is refused for tools. */
export const ACTIVITY = {
  describeAgent: 'holdfast.describeAgent',
  buildContext: 'holdfast.buildContext',
  callModel: 'holdfast.callModel',
  buildOutput: 'holdfast.buildOutput',
  checkArguments: 'holdfast.checkArguments',
  checkAnswers: 'holdfast.checkAnswers',
  readGrants: 'holdfast.readGrants',
  writeGrants: 'holdfast.writeGrants',
  sendEvent: 'holdfast.sendEvent',
  undoTool: 'holdfast.undoTool',
  checkReply: 'holdfast.checkReply',
} as const;

/** Names of the queries that a run answers. */
export const QUERY = {
  state: 'holdfast.state',
  transcript: 'holdfast.transcript',
  facts: 'holdfast.facts',
  pinned: 'holdfast.pinned',
  pending: 'holdfast.pending',
  budget: 'holdfast.budget',
} as const;

/** Answer of {@link QUERY.pending}: what a run waits for, in the order in which it began. */
export interface Pending {
  approvals: PendingApproval[];
  services: PendingService[];
  questions: PendingQuestion[];
}

/** Answer of {@link QUERY.transcript}: at most about 1 MB, but at least one message where any is left. */
export interface TranscriptPage {
  epoch: number;
  from: number;
  messages: Message[];
  /** Length of the whole transcript, in messages. */
  length: number;
}

/** Names of what a run can be told, as updates that are answered and as signals that are not. */
export const COMMAND = {
  approve: 'approve',
  deny: 'deny',
  edit: 'edit',
  send: 'send',
  steer: 'steer',
  answer: 'answer',
  interrupt: 'interrupt',
  retry: 'retry',
  regenerate: 'regenerate',
  undo: 'undo',
  rename: 'rename',
  close: 'close',
  /** Signal only: `{toolUseId, data | error}`. */
  toolResult: 'toolResult',
  /** Signal only: the event that answers a service call. */
  serviceAnswer: 'serviceAnswer',
} as const;

/** The workflow type of the remembered decisions of an agent, and its id. */
export const APPROVALS = {
  type: 'holdfast.approvals',
  /** Every worker polls it beside its own: the book of an agent outlives the queue of the run that opened it. */
  taskQueue: 'holdfast.entities',
  idOf: (agent: string) => `holdfast.approvals/${agent}`,
  set: 'setBatched',
  get: 'getBatched',
  list: 'list',
  revoke: 'revoke',
} as const;
