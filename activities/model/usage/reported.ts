import { isNoUsage, type Usage } from '../../../agent/model/cost/usage';
import { defined } from '../../../agent/values/defined';

/** A number of tokens as a provider sent it, plausible or not; 0 if it is not a number. */
export function tokenCount(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Whether a provider reported tokens: those that do not count may send zeros. */
export function isReported(usage: Usage): boolean {
  return !isNoUsage(usage);
}

/** A count that is exceeded more often than this says something else than the provider. */
const FACTOR = 10;

/**
 * Tokens that a provider may add to what is sent and what arrives: its chat template, a system prompt of a gateway.
 * Without them, ten times the count of a greeting would be less than any template.
 */
const OVERHEAD = 1000;

/** Tokens of a medium, which is not counted by its content: a document of 100 pages takes up to 3,000 a page. */
const MEDIUM = 300_000;

/** Tokens of reasoning that is not shown: the models that write most write 128,000. */
const HIDDEN_REASONING = 128_000;

/** What the worker itself knows about the size of a call. */
export interface Known {
  /** Counts the tokens sent. Not called for a small prompt, since it may take time. */
  prompt(): number;
  /** Images, sounds and documents among what is sent. */
  media(): number;
  /** Tokens of the answer as far as it has arrived. */
  completion: number;
  /** The model has reasoned, or was asked to: its answer may have tokens that are not shown. */
  reasons: boolean;
}

/** The usage that a provider reported, without the details that make no sense; `undefined` if it is not plausible. */
export function plausibleUsage(reported: Usage, known: Known): Usage | undefined {
  const { prompt, completion, cached, cacheWritten, reasoning, estimated } = reported;
  if (!isCount(prompt) || !isCount(completion)) return undefined;
  const hidden = known.reasons || (isCount(reasoning) && reasoning > 0) ? HIDDEN_REASONING : 0;
  if (completion > FACTOR * known.completion + OVERHEAD + hidden) return undefined;
  if (prompt > OVERHEAD && prompt > FACTOR * known.prompt() + OVERHEAD + MEDIUM * known.media()) return undefined;
  return {
    prompt,
    completion,
    ...defined({
      cached: detail(cached, prompt),
      cacheWritten: detail(cacheWritten, prompt),
      // Some servers count reasoning separately from the completion, so it may be larger.
      reasoning: detail(reasoning, completion + HIDDEN_REASONING),
      estimated,
    }),
  };
}

/** A part of a count, if there is one. Gateways may count it apart from the whole. */
function detail(value: number | undefined, most: number): number | undefined {
  return isCount(value) && value > 0 ? Math.min(value, most) : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
