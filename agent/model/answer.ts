import type { RuleVerdict } from '../approvals/approval';
import type { JsonObject } from '../values/json';
import type { ReasoningPart, TextPart } from './message';

/** Tokens of one or more model calls, as the provider counted them. */
export interface Usage {
  /** Tokens of what was sent. */
  prompt: number;
  /** Tokens of what was answered. */
  completion: number;
  /** Part of `prompt` that the provider read from its cache. */
  cached?: number;
  /** Part of `completion` that went into reasoning. */
  reasoning?: number;
}

export const NO_USAGE: Usage = { prompt: 0, completion: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = { prompt: a.prompt + b.prompt, completion: a.completion + b.completion };
  const cached = (a.cached ?? 0) + (b.cached ?? 0);
  const reasoning = (a.reasoning ?? 0) + (b.reasoning ?? 0);
  if (cached > 0) sum.cached = cached;
  if (reasoning > 0) sum.reasoning = reasoning;
  return sum;
}

/** Why a call cannot be run: the model reads `message` as the result of the call. */
export interface CallProblem {
  type: 'InvalidJson' | 'InvalidArguments' | 'AnswerCut' | 'UnknownTool' | 'OutcomeUnknown' | 'TooManyCalls';
  message: string;
}

/** One call that a model asked for, before it has an id of ours. */
export interface ToolRequest {
  /** The provider's own id; empty ids are left out, repeated ones are kept. */
  providerId?: string;
  /** The model-facing name, as the model wrote it. */
  name: string;
  /** The arguments after coercion. */
  input: JsonObject;
  /** SHA-256 of the canonical JSON of the arguments, 64 hexadecimal digits. */
  hash: string;
  /** What the rules of the tool say of this call; missing where it has none, or the call is not run. */
  approval?: RuleVerdict;
  /** Set where arguments are no JSON, break the tool's schema, or were cut by `finish_reason: length`. */
  problem?: CallProblem;
}

/** One answer of a model: calls, text, or JSON. */
export interface ModelAnswer {
  type: 'tool_call' | 'text' | 'json';
  /** What it said beside its calls, in the order in which it said it. */
  parts: (TextPart | ReasoningPart)[];
  toolRequests: ToolRequest[];
  finishReason: 'stop' | 'tool_calls' | 'length';
  usage: Usage;
  /** Cost of this call; by default prompt plus completion tokens. */
  executionUnits: number;
  /** The provider's name of the model that answered. */
  model: string;
  /** Opaque data of the provider, echoed in later calls. */
  providerData?: JsonObject;
}
