import type { RuleVerdict } from '../approvals/approval';
import { defined } from '../values/defined';
import type { JsonObject } from '../values/json';
import type { ReasoningPart, TextPart } from './message';

/** Tokens of one or more model calls. */
export interface Usage {
  /** Tokens sent. */
  prompt: number;
  /** Tokens of the answer. */
  completion: number;
  /** Part of `prompt` that the provider read from its cache. */
  cached?: number;
  /** Part of `prompt` that the provider wrote to its cache, and may charge more for. */
  cacheWritten?: number;
  /** Part of `completion` that went into reasoning. */
  reasoning?: number;
  /** Some of it is an estimate of the worker: the provider reported no usage, or none that is plausible. */
  estimated?: true;
}

export const NO_USAGE: Usage = { prompt: 0, completion: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = { prompt: a.prompt + b.prompt, completion: a.completion + b.completion };
  const cached = (a.cached ?? 0) + (b.cached ?? 0);
  const cacheWritten = (a.cacheWritten ?? 0) + (b.cacheWritten ?? 0);
  const reasoning = (a.reasoning ?? 0) + (b.reasoning ?? 0);
  if (cached > 0) sum.cached = cached;
  if (cacheWritten > 0) sum.cacheWritten = cacheWritten;
  if (reasoning > 0) sum.reasoning = reasoning;
  if (a.estimated || b.estimated) sum.estimated = true;
  return sum;
}

/** What one or more model calls cost. */
export interface Spending {
  /** Tokens. */
  usage: Usage;
  /** Money if the model has prices, else prompt plus completion tokens. */
  executionUnits: number;
  /** Money. Missing if a model that answered has no prices. */
  cost?: number;
}

export const NO_SPENDING: Spending = { usage: NO_USAGE, executionUnits: 0 };

/** The sum. Its `cost` is missing if one of the two used tokens without a price. */
export function addSpending(a: Spending, b: Spending): Spending {
  const paid = [a, b].filter(({ usage, cost }) => cost !== undefined || !isNoUsage(usage));
  const costs = paid.flatMap(({ cost }) => cost ?? []);
  const cost = costs.length === paid.length && paid.length > 0 ? costs.reduce((sum, one) => sum + one) : undefined;
  return {
    usage: addUsage(a.usage, b.usage),
    executionUnits: a.executionUnits + b.executionUnits,
    ...defined({ cost }),
  };
}

/** The same, with more spent on it. */
export function plusSpending<What extends Spending>(what: What, more: Spending): What {
  const { cost: _, ...rest } = what;
  // Only the fields of the sum differ, and they have the same types.
  return { ...rest, ...addSpending(what, more) } as What;
}

/** Whether no tokens were used. */
export function isNoUsage({ prompt, completion }: Usage): boolean {
  return prompt === 0 && completion === 0;
}

/** Why a call cannot be run. The model reads `message` as the result of the call. */
export interface CallProblem {
  type: 'InvalidJson' | 'InvalidArguments' | 'AnswerCut' | 'UnknownTool' | 'OutcomeUnknown' | 'TooManyCalls';
  message: string;
}

/** One call that a model asked for, before it has an id of ours. */
export interface ToolRequest {
  /** The provider's own id. Empty ids are left out, repeated ids are kept. */
  providerId?: string;
  /** The model-facing name, as the model wrote it. */
  name: string;
  /** The arguments after coercion. */
  input: JsonObject;
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
  /** Opaque data of the provider, sent back in later calls. */
  providerData?: JsonObject;
}
