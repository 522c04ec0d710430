import type { RuleVerdict } from '../approvals/approval';
import type { JsonObject } from '../values/json';
import type { Spending } from './cost/spending';
import type { ReasoningPart, TextPart } from './message';
import type { NameRepair } from './names/name-repair';

/** Why a call cannot be run. The model reads `message` as the result of the call. */
export interface CallProblem {
  type:
    | 'InvalidJson'
    | 'InvalidArguments'
    | 'AnswerCut'
    | 'UnknownTool'
    | 'ToolNotFound'
    | 'OutcomeUnknown'
    | 'TooManyCalls'
    | 'BudgetUsedUp'
    | 'RepeatedCall'
    | 'ToolWithdrawn';
  message: string;
}

/** Why the call in a text is not a call: it cannot be read, or it does not say what to call. */
export interface CallFault {
  type: 'ParseError' | 'MissingFieldError';
  /** For the model. */
  message: string;
}

/** One call that a model asked for, before it has an id of ours. */
export interface ToolRequest {
  /** The provider's own id. Empty ids are left out, repeated ids are kept. */
  providerId?: string;
  /** The model-facing name, as the model wrote it, or as it was repaired. */
  name: string;
  /** The name that the model wrote, if it is not that of a tool and `name` was taken for it. */
  repaired?: NameRepair;
  /** The arguments after coercion. */
  input: JsonObject;
  /** What the model wrote, if it was not JSON: the first 16 KB. */
  rawInput?: string;
  /** SHA-256 of the canonical JSON of the arguments, 64 hexadecimal digits. */
  hash: string;
  /** What the rules of the tool say about this call. Missing if it has none, or if the call is not run. */
  approval?: RuleVerdict;
  /** Set if the arguments are not JSON, do not fit the tool's schema, or were cut by `finish_reason: length`. */
  problem?: CallProblem;
}

/** One answer of a model: calls, text, or JSON. */
export interface ModelAnswer extends Spending {
  type: 'tool_call' | 'text' | 'json';
  /** Its text and reasoning, in order; the calls are separate. */
  parts: (TextPart | ReasoningPart)[];
  toolRequests: ToolRequest[];
  finishReason: 'stop' | 'tool_calls' | 'length';
  /** The provider's name of the model that answered. */
  model: string;
  /** Calls in text: what is wrong with the call in the text. */
  callFault?: CallFault;
  /** Calls in text: whether a call was asked for that the exchange does not have yet. Missing: no model of the run forces one. */
  mustCall?: boolean;
  /** Opaque data of the provider, sent back in later calls. */
  providerData?: JsonObject;
}
