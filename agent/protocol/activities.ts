import type { Grant } from '../approvals/approval';
import type { DelegatedBy } from '../define/context';
import type { Message } from '../model/message';
import type { Json, JsonObject } from '../values/json';
import type { ServiceEvent } from './event';
import type { JsonSchema, Manifest, Pin, RunContext } from './manifest';
import type { PinnedMessage } from './queries';
import type { RunInput } from './run';

/** Which version of the agent's contract the run works by. Neither `version` nor `dataschema`: the newest. */
export interface DescribeAgentInput {
  /** The one that the caller asked for. */
  version?: string;
  /** The schema that the event names which started the run. Its version counts if the agent has several. */
  dataschema?: string;
  /** What the context of the run is built from. Missing in older runs, and if the input is large. */
  start?: ContextInput;
  /** The newest version of the decisions that the worker of the workflow knows. Missing in older runs. */
  decisions?: number;
}

export interface DescribeAgentResult {
  manifest: Manifest;
  hash: string;
  /** Missing: `holdfast.buildContext` has to build it. */
  built?: BuildContextResult;
}

/** Asks for what a Temporal run of the same chain has pinned. */
export interface ReadAgainInput {
  /** Temporal's id of that run. */
  runId: string;
  want: Pinned[];
  /** Indices of messages that are wanted as well. */
  messages?: number[];
}

export type Pinned = 'manifest' | 'context' | 'input' | 'answer';

/** What was asked for, as far as it fits into one payload; the rest is asked for again. */
export interface ReadAgainResult {
  manifest?: Manifest;
  context?: RunContext;
  /** What the first run of the chain was started with. */
  input?: RunInput;
  /** Data of the last answer. */
  answer?: Json;
  messages?: PinnedMessage[];
}

/** What the context of a run is built from. */
export interface ContextInput {
  input: Json;
  owner?: string;
  metadata: JsonObject;
  delegatedBy?: DelegatedBy;
  /** The `traceparent` of the caller. */
  traceparent?: string;
  /** Ids of spans are made from it, if the run makes spans. */
  chainId?: string;
}

export interface BuildContextInput extends ContextInput {
  /** Hash of the manifest that `holdfast.describeAgent` returned. */
  manifest: string;
}

export interface BuildContextResult {
  context: RunContext;
  /** Hash of `context`. */
  hash: string;
  messages: Message[];
}

export interface BuildOutputInput {
  pin: Pin;
  turn: number;
  content: string;
}

export type BuildOutputResult = { data: Json } | { error: string };

/** Asks whether an answer to a question fits its schema. */
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

/** Whether arguments fit, their hash, and which calls a remembered decision about them applies to. */
export type CheckArgumentsResult =
  | {
      ok: true;
      /** The arguments after coercion. Missing: they fit unchanged. */
      input?: JsonObject;
      hash: string;
      key: string;
    }
  | { ok: false; problem: string };

/** Whether it fits. `value`: the answer after coercion, such as a number for a text that a person wrote. */
export type CheckReplyResult = { ok: true; value?: Json } | { ok: false; problem: string };

/** `problem` is one line that names each failing path. */
export type SchemaVerdict = { ok: true } | { ok: false; problem: string };

/** `type`: the event type of the answer in the contract. */
export type AnswerVerdict = { ok: true; type?: string } | { ok: false; problem: string };

/** The answers of all services of one batch, checked together. */
export interface CheckAnswersInput {
  pin: Pin;
  answers: AnswerToCheck[];
}

/** The answer of the service `name`. */
export interface AnswerToCheck {
  name: string;
  /** Type of the event. Missing for plain data, which may fit any of the contract's answers. */
  type?: string;
  data: Json;
}

/** The owner of the decisions: a grant of one owner does not apply to another. */
export interface GrantScope {
  agent: string;
  owner?: string;
}

export type ReadGrantsInput = GrantScope & { wanted: { tool: string; key: string }[] };

/** One entry for each wanted key, in order; `null` if nothing is remembered. */
export type ReadGrantsResult = (Grant | null)[];

export type WriteGrantsInput = GrantScope & { grants: Grant[] };

export interface SendEventInput {
  /** Name of the outlet in the worker's configuration. */
  outlet: string;
  event: ServiceEvent;
}

/** Whether a model call had failed and waited for its next attempt, which is made at once. `isBeingMade`: it was already. */
export type WakeCallResult = { ok: true; isBeingMade?: true } | { ok: false };

/** Names of the framework's own activities. Tools cannot have this prefix. */
export const ACTIVITY = {
  describeAgent: 'holdfast.describeAgent',
  readAgain: 'holdfast.readAgain',
  archive: 'holdfast.archive',
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
  checkModel: 'holdfast.checkModel',
  wakeCall: 'holdfast.wakeCall',
  compact: 'holdfast.compact',
  countMessage: 'holdfast.countMessage',
} as const;
