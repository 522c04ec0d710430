import { MAX_DEPTH } from '../../agent/values/json-depth';
import { closes, endOfText, MAX_VALUES, opens, tooDeep, tooMany } from '../json-extent';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
/** From `[` to `]`, and from `{` to `}`. */
const TO_CLOSING = 2;

const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** How an array or object in a text ends. */
export type Scanned =
  /** Behind its last bracket. */
  | { type: 'whole'; end: number }
  /** It is none, or has no end. */
  | { type: 'broken' }
  /** It is larger than what may be parsed. */
  | { type: 'excess'; excess: string };

/**
 * Reads an array or object that begins at `start`, without parsing its texts.
 * @param onOpening called with the place of each array and object in it, itself included
 */
export function scanJson(text: string, start: number, onOpening: (at: number) => void): Scanned {
  const stack: number[] = [];
  let values = 0;
  let expected: 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'next' = 'value';
  for (let i = start; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (isBlank(unit)) continue;
    const inObject = stack.at(-1) === OPEN_BRACE;
    if (closes(unit)) {
      if (expected !== 'next' && expected !== 'first value' && expected !== 'first name') return BROKEN;
      if (stack.pop() !== unit - TO_CLOSING) return BROKEN;
      if (stack.length === 0) return { type: 'whole', end: i + 1 };
      expected = 'next';
    } else if (expected === 'next') {
      if (unit !== COMMA) return BROKEN;
      expected = inObject ? 'name' : 'value';
    } else if (expected === 'colon') {
      if (unit !== COLON) return BROKEN;
      expected = 'value';
    } else if (expected === 'name' || expected === 'first name') {
      if (unit !== QUOTE) return BROKEN;
      i = endOfText(text, i + 1);
      expected = 'colon';
    } else {
      if (++values > MAX_VALUES) return { type: 'excess', excess: tooMany() };
      if (opens(unit)) {
        onOpening(i);
        if (stack.push(unit) > MAX_DEPTH) return { type: 'excess', excess: tooDeep(MAX_DEPTH) };
        expected = unit === OPEN_BRACE ? 'first name' : 'first value';
        continue;
      }
      const end = unit === QUOTE ? endOfText(text, i + 1) : endOfLiteral(text, i);
      if (end === undefined) return BROKEN;
      i = end;
      expected = 'next';
    }
  }
  return BROKEN;
}

const BROKEN: Scanned = { type: 'broken' };

/** Place of the last character of a number, `true`, `false` or `null`. */
function endOfLiteral(text: string, at: number): number | undefined {
  LITERAL.lastIndex = at;
  return LITERAL.test(text) ? LITERAL.lastIndex - 1 : undefined;
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}
