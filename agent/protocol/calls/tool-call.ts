import type { ContentPart, TextPart } from '../../model/message';
import type { FilterInput } from '../../tool-filter/tool-filter';
import type { JsonObject } from '../../values/json';
import type { JsonSchema, Pin } from '../manifest';
import type { ToolProgress } from '../stream';

export interface RunToolInput {
  pin: Pin;
  turn: number;
  toolUseId: string;
  idempotencyKey: string;
  input: JsonObject;
  /** MCP: the answers of people with which the call continues. */
  resume?: ResumeTool;
  /** `search_tools`: which tools are offered already. */
  filter?: FilterInput;
}

/** What a server asked for during a call (MCP `input_required`). */
export interface InputRequired {
  /** `key` is chosen by the server. Each request becomes a question to a person. */
  requests: { key: string; question: string; schema?: JsonSchema; url?: string }[];
  /** State of the server, sent back unchanged. */
  state?: string;
}

/** The answers, in the order of the requests. */
export interface ResumeTool {
  answers: { key: string; action: 'accept' | 'decline' | 'cancel'; content?: JsonObject }[];
  state?: string;
}

/** The result of a tool. Errors are not thrown, since the model acts on them too. */
export interface ToolOutcome {
  /** What the model sees, already cut. */
  content: ContentPart[];
  /** Set if the tool failed. `type` is stable. */
  error?: { type: ToolErrorType; message: string };
  /** The call is not finished. It continues when people have answered. */
  needs?: InputRequired;
  /**
   * The whole texts, if `content` has only their beginning. Media are only in `content`, so that history has them once.
   */
  full?: TextPart[];
  /** What an MCP server reported last during the call. */
  progress?: ToolProgress;
  /** `search_tools`: canonical names of the tools that it found, the best first. */
  found?: string[];
}

/** The result of a call that ran in the activity of the model call. Times are milliseconds since 1970. */
export interface ResultWithAnswer {
  toolUseId: string;
  outcome: ToolOutcome;
  start: number;
  end: number;
}

/** Why a tool gave no result. The model reads the message with it. docs/reference/errors.md has a section for each. */
export type ToolErrorType =
  | 'ToolFailed'
  | 'ToolTimedOut'
  | 'ToolMissing'
  | 'ToolCancelled'
  | 'InvalidArguments'
  | 'OutcomeUnknown'
  | 'ResultTooLarge'
  | 'InvalidResult'
  | 'McpServerFailed'
  | 'Denied'
  | 'ApprovalExpired'
  | 'ServiceFailed'
  | 'ServiceTimedOut'
  | 'ServiceCancelled'
  | 'InvalidAnswer'
  | 'DelegationRefused'
  | 'BudgetUsedUp'
  | 'OutletFailed'
  | 'QuestionExpired'
  | 'QuestionDeclined'
  | 'QuestionWithdrawn';

/** Undoes one effect. `input` and `content` are those of the call. */
export interface UndoToolInput {
  pin: Pin;
  turn: number;
  toolUseId: string;
  /** The key of the inverse. It differs from the key of the call. */
  idempotencyKey: string;
  name: string;
  input: JsonObject;
  content: ContentPart[];
}
