import type { Json, JsonObject } from './json';
import type { Manifest, Pin, RunContext } from './manifest';
import type { ContentPart, Message, ReasoningPart, TextPart } from './message';
import type { ModelAnswer, Usage } from './model-answer';

/** Why the model, or a builder, is called. */
export type Lifecycle = 'init' | 'tool_result' | 'output_error_feedback';

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
  /** The messages between the two; left out where they are too large, then the activity fetches them. */
  delta?: Message[];
}

/** Details of the `CancelledFailure` (and of a final failure) of a model call. */
export interface ModelCallRemains {
  /** What had arrived. */
  parts: (TextPart | ReasoningPart)[];
  usage: Usage;
  executionUnits: number;
}

export type CallModelResult = ModelAnswer;

export interface RunToolInput {
  pin: Pin;
  turn: number;
  toolUseId: string;
  idempotencyKey: string;
  input: JsonObject;
}

/** What a tool gave: never thrown, since an error too is something that the model acts on. */
export interface ToolOutcome {
  /** What the model sees, already cut. */
  content: ContentPart[];
  /** Set where the tool failed; `type` is stable. */
  error?: { type: ToolErrorType; message: string };
  /** The whole texts, where `content` has only their beginning. Media stand in `content` alone, so that history has them once. */
  full?: TextPart[];
}

/** Why a tool gave no result; the model reads the text beside it. docs/errors.md has a section for each. */
export type ToolErrorType =
  | 'ToolFailed'
  | 'ToolTimedOut'
  | 'ToolMissing'
  | 'ToolCancelled'
  | 'InvalidArguments'
  | 'OutcomeUnknown'
  | 'ResultTooLarge'
  | 'McpServerFailed';

export interface BuildOutputInput {
  pin: Pin;
  turn: number;
  content: string;
}

export type BuildOutputResult = { data: Json } | { error: string };

/** Names of the framework's own activities; the prefix is refused for tools. */
export const ACTIVITY = {
  describeAgent: 'holdfast.describeAgent',
  buildContext: 'holdfast.buildContext',
  callModel: 'holdfast.callModel',
  buildOutput: 'holdfast.buildOutput',
} as const;

/** Names of the queries that a run answers. */
export const QUERY = {
  state: 'holdfast.state',
  transcript: 'holdfast.transcript',
  facts: 'holdfast.facts',
  pinned: 'holdfast.pinned',
} as const;

/** Answer of {@link QUERY.transcript}: at most about 1 MB, but at least one message where any is left. */
export interface TranscriptPage {
  epoch: number;
  from: number;
  messages: Message[];
  /** Length of the whole transcript, in messages. */
  length: number;
}
