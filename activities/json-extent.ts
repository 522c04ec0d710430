import { MAX_DEPTH } from '../agent/values/json-depth';

/**
 * How many values one JSON text of a model may hold. A model writes at most 128,000 tokens, and a value with its name
 * takes several. Parsing, sorting and hashing an object of so many fields takes 100 ms on a busy machine; one of 4 MB,
 * seconds.
 */
export const MAX_VALUES = 20_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** Levels of JSON in which a server wraps values. Values that are too deep are then left out one by one. */
export const MAX_WRAPPED_DEPTH = 2000;

/** How a JSON text exceeds the limits, as in `made of more than …`; `undefined` if it may be parsed. */
export function excessOf(text: string, levels = MAX_DEPTH, most = MAX_VALUES): string | undefined {
  // Each value and each level takes a character.
  if (text.length <= levels) return undefined;
  let values = 1;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) i = endOfText(text, i + 1);
    else if (unit === COMMA) values++;
    else if (opens(unit)) {
      values++;
      if (++depth > levels) return tooDeep(levels);
    } else if (closes(unit)) depth--;
    if (values > most) return tooMany(most);
  }
  return undefined;
}

/** How many values a JSON text of ours is made of, as they are counted here. */
export function valuesOf(text: string): number {
  let values = 1;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) i = endOfText(text, i + 1);
    else if (unit === COMMA || opens(unit)) values++;
  }
  return values;
}

/** How many values a JSON value is made of, as they are counted here: at least as many as its text has. */
export function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + valuesIn(inner) + 1, 1);
}

/**
 * Parses untrusted JSON in bounded time.
 * @throws SyntaxError if it is not JSON, or too large
 */
export function parseJson(text: string): unknown {
  const excess = excessOf(text);
  if (excess !== undefined) throw new SyntaxError(`it is ${excess}`);
  return JSON.parse(text);
}

/** How a text of too many values exceeds the limits. */
export function tooMany(most = MAX_VALUES): string {
  return `made of more than ${most} values`;
}

/** How a text of too many levels exceeds the limits. */
export function tooDeep(levels: number): string {
  return `nested deeper than ${levels} levels`;
}

/** Place of the quote that ends a text, or of the end. */
export function endOfText(text: string, from: number): number {
  let i = from;
  while (i < text.length && text.charCodeAt(i) !== QUOTE) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1;
  return i;
}

/** `[` or `{`. */
export const opens = (unit: number) => unit === 0x5b || unit === 0x7b;
/** `]` or `}`. */
export const closes = (unit: number) => unit === 0x5d || unit === 0x7d;
