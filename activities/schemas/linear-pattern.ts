import { RE2JS } from 're2js';

/** The most characters of a pattern that is used. */
const MAX_PATTERN = 1000;
/** The most steps of the automaton: each character of a text may take as many. `^.{0,1000}$` has 2,000. */
const MAX_PROGRAM = 2500;

/** The interface that ajv expects. It keeps one for each text of `toString`. */
interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/**
 * A pattern of JSON Schema in linear time: JavaScript's regular expressions take unbounded time for some texts. A
 * pattern that is {@link unusable} is run by JavaScript: only schemas of users have such patterns, from untrusted
 * schemas they are removed.
 * @throws SyntaxError if it is not a valid pattern
 */
export function patternOf(pattern: string): Pattern {
  const compiled = compile(pattern);
  const used = typeof compiled === 'string' ? new RegExp(pattern, 'u') : compiled;
  return { test: (text) => used.test(text), toString: () => `/${pattern}/u` };
}

/** Why a pattern cannot be run in linear time, such as a look-ahead; `undefined` if it can. */
export function unusable(pattern: string): string | undefined {
  const compiled = compile(pattern);
  return typeof compiled === 'string' ? compiled : undefined;
}

function compile(pattern: string): RE2JS | string {
  if (pattern.length > MAX_PATTERN) return `it has ${pattern.length} characters, at most ${MAX_PATTERN} are used`;
  // Before it is compiled, since compiling takes as long.
  if (patternSize(pattern) > 2 * MAX_PROGRAM) return 'it repeats too much';
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(withSpaces(pattern)));
    return compiled.programSize() > MAX_PROGRAM ? 'it repeats too much' : compiled;
  } catch (error) {
    return (error as Error).message.replace(/^error parsing regexp: /, '');
  }
}

/** An escaped character, a class, a counted repeat, or any other character. */
const ATOM = /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\{(\d+),?(\d*)\}|[\s\S]/g;

/** Approximate length of a pattern with its repeats written out: compile time and steps are proportional to it. */
export function patternSize(pattern: string): number {
  if (pattern.length > MAX_PATTERN) return pattern.length;
  // Sizes of the open groups, the innermost last, and of the atom that a repeat would apply to.
  const open = [0];
  let last = 0;
  for (const [atom, least, most] of pattern.matchAll(ATOM)) {
    const here = open.length - 1;
    if (least !== undefined) {
      const more = last * (Math.max(Number(least), Number(most)) - 1);
      if (more <= 0) continue;
      open[here] = (open[here] as number) + more;
      last += more;
    } else if (atom === '(') {
      open.push(1);
    } else {
      last = atom === ')' && here > 0 ? (open.pop() as number) : 1;
      open[open.length - 1] = (open.at(-1) as number) + last;
    }
  }
  return open.reduce((sum, size) => sum + size, 0);
}

/** What `\s` means in JavaScript; in RE2 it covers only ASCII spaces. */
const SPACES = String.raw`\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
/** An escaped character, or one that begins or ends a class. */
const TOKEN = /\\[\s\S]|[[\]]/g;

function withSpaces(pattern: string): string {
  let inClass = false;
  return pattern.replace(TOKEN, (token) => {
    if (token === '[' || token === ']') {
      inClass = token === '[';
      return token;
    }
    if (token === String.raw`\s`) return inClass ? SPACES : `[${SPACES}]`;
    return token === String.raw`\S` && !inClass ? `[^${SPACES}]` : token;
  });
}
