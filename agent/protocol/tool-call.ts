import type { ContentPart, TextPart } from '../model/message';
import type { JsonObject } from '../values/json';
import type { JsonSchema, Pin } from './manifest';

export interface RunToolInput {
  pin: Pin;
  turn: number;
  toolUseId: string;
  idempotencyKey: string;
  input: JsonObject;
  /** MCP: the call goes on with what persons answered. */
  resume?: ResumeTool;
}

/** What a server asked for in the midst of a call (MCP `input_required`). */
export interface InputRequired {
  /** By the server's own key; each becomes a question to a person. */
  requests: { key: string; question: string; schema?: JsonSchema; url?: string }[];
  /** The server's, handed back as it is. */
  state?: string;
}

/** The answers, in the order of the requests. */
export interface ResumeTool {
  answers: { key: string; action: 'accept' | 'decline' | 'cancel'; content?: JsonObject }[];
  state?: string;
}

/** What a tool gave: never thrown, since an error too is something that the model acts on. */
export interface ToolOutcome {
  /** What the model sees, already cut. */
  content: ContentPart[];
  /** Set where the tool failed; `type` is stable. */
  error?: { type: ToolErrorType; message: string };
  /** The call is not done: it goes on when persons have answered. */
  needs?: InputRequired;
  /** The whole texts, where `content` has only their beginning. Media stand in `content` alone, so that history has them once. */
  full?: TextPart[];
}

/** What became of a call that ran where the model was asked. Times are milliseconds since 1970. */
export interface ResultWithAnswer {
  toolUseId: string;
  outcome: ToolOutcome;
  start: number;
  end: number;
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
  | 'McpServerFailed'
  | 'Denied'
  | 'ApprovalExpired'
  | 'ServiceFailed'
  | 'ServiceTimedOut'
  | 'ServiceCancelled'
  | 'InvalidAnswer'
  | 'DelegationRefused'
  | 'OutletFailed'
  | 'QuestionExpired'
  | 'QuestionDeclined'
  | 'QuestionWithdrawn';

/** Takes one effect back: `input` and `content` are those of the call. */
export interface UndoToolInput {
  pin: Pin;
  turn: number;
  toolUseId: string;
  /** Of the inverse; the call's own is another. */
  idempotencyKey: string;
  name: string;
  input: JsonObject;
  content: ContentPart[];
}
