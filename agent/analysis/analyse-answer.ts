import { comparable, findPhrase } from './phrases';
import type { AnalysisTables, Deflection } from './tables';

/** What is wrong with an answer, and the phrase that shows it. */
export type Finding =
  /** It stops although work is left. */
  | { why: 'incomplete'; sign: string }
  /** It avoids the work. */
  | { why: 'deflecting'; family: Deflection; sign: string }
  /** It claims a change, but nothing that changes anything was called. */
  | { why: 'unchanged'; sign: string };

/** What the run has done since the exchange, or the last message of a person, began. */
export interface WorkSoFar {
  /** Calls of tools; those of the loop itself do not count. */
  calls: number;
  /** Nudges since the last call because work was left. */
  incomplete: number;
  /** Nudges because the answer avoided the work. */
  deflecting: number;
}

/** Deflections that are not accepted. The one after them is. */
export const MAX_DEFLECTIONS = 3;
/** Nudges in a row, without a call between them, that a model gets because work is left. */
export const MAX_INCOMPLETE = 3;
/** Calls after which a deflection is accepted: a model that has worked this much is not avoiding the work. */
const WORKED = 3;
/** What is reported as the sign of a short answer that ends with a question mark. */
export const SHORT_QUESTION = 'a short question';
const QUESTION = /[?？؟]\s*$/u;

/**
 * Whether an answer stops too early or avoids the work. Only an answer after a call is analysed: before it, a question or
 * a refusal may be right. An answer that sums up a finished task, or presents results, is never a finding.
 */
export function analyseAnswer(answer: string, tables: AnalysisTables, so: WorkSoFar): Finding | undefined {
  if (so.calls === 0) return undefined;
  const text = comparable(answer);
  if (findPhrase(text, tables.complete, tables) !== undefined || findPhrase(text, tables.presenting) !== undefined)
    return undefined;
  const left = so.incomplete < MAX_INCOMPLETE ? findPhrase(text, tables.incomplete) : undefined;
  if (left !== undefined) return { why: 'incomplete', sign: left };
  if (so.calls >= WORKED || so.deflecting >= MAX_DEFLECTIONS) return undefined;
  return deflection(answer, text, tables);
}

function deflection(answer: string, text: string, tables: AnalysisTables): Finding | undefined {
  for (const family of FAMILIES) {
    const sign = findPhrase(text, tables.deflecting[family]);
    if (sign !== undefined) return { why: 'deflecting', family, sign };
  }
  // The length first: the pattern must not scan a long text.
  return answer.length <= tables.shortQuestion && QUESTION.test(answer)
    ? { why: 'deflecting', family: 'asks', sign: SHORT_QUESTION }
    : undefined;
}

const FAMILIES: readonly Deflection[] = ['refuses', 'asks', 'handsBack', 'narrates'];

/** The claim of a change in an answer. */
export function claimOf(answer: string, tables: AnalysisTables): string | undefined {
  return findPhrase(comparable(answer), tables.claims, tables);
}
