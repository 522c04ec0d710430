import type { Json } from '../../agent/values/json';

/** Replaces a secret in a text. */
export const HIDDEN = '***';

/** Shorter values occur in every text. A value this short is hidden only if its name says that it is secret. */
const SHORTEST = 4;
/** A line of a certificate's key that is shorter than this may be a word. */
const KEY_LINE = 8;

/** Common words: hiding them would garble texts and protect nothing. */
const WORDS = new Set(
  'true false null none undefined default basic bearer digest enabled disabled optional required anonymous auto'.split(
    ' ',
  ),
);

/**
 * Keys in the forms that providers use and print, abbreviated or not: `sk-ab***yz`. The bound keeps long texts fast.
 */
const SHAPED = /\b(?:sk|pk|key)-(?=[\w.-]{0,80}[\d*])[\w*.-]{6,}/gi;

/** Patterns of the last sets of secrets, since texts come line by line. */
const known = new Map<string, readonly RegExp[]>();
const KEPT = 64;

/**
 * A text without these secrets, in any form in which a server repeats them: unchanged, escaped in JSON, URLs or HTML,
 * as base64 (also inside a longer one, such as that of `user:password`), as hexadecimal digits. Call it before cutting
 * a text: half a secret is not found.
 */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const ranges = patternsOf(secrets).flatMap((pattern) => rangesOf(pattern, text));
  return cutOut(text, ranges).replace(SHAPED, HIDDEN);
}

/** The same for all texts in a value. */
export function hideSecretsIn(value: Json, secrets: readonly string[]): Json {
  if (typeof value === 'string') return hideSecrets(value, secrets);
  if (Array.isArray(value)) return value.map((item) => hideSecretsIn(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  const clean = (name: string) => hideSecrets(name, secrets);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [clean(name), hideSecretsIn(item ?? null, secrets)]),
  );
}

/** The parts of a value that count as secrets: no short or common ones, but each line of a certificate's key. */
function piecesOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).filter((line) => !line.startsWith('-----') && line.length >= KEY_LINE);
  const pieces = [secret, secret.trim(), ...(lines.length > 1 || secret.includes('\n') ? lines : [])];
  return pieces.filter((piece) => piece.length >= SHORTEST && !WORDS.has(piece.toLowerCase()));
}

function patternsOf(secrets: readonly string[]): readonly RegExp[] {
  const pieces = [...new Set(secrets.flatMap(piecesOf))];
  const key = JSON.stringify(pieces);
  const before = known.get(key);
  if (before !== undefined) return before;
  const patterns = pieces.map(patternOf);
  if (known.size >= KEPT) known.clear();
  known.set(key, patterns);
  return patterns;
}

/** One pattern per secret: secrets may overlap, and an alternation would find only the first of them. */
function patternOf(secret: string): RegExp {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((offset) => base64Of(bytes, offset)).filter((core) => core.length >= SHORTEST);
  const hex = Array.from(bytes.toString('hex'), (digit) =>
    /\d/.test(digit) ? digit : `[${digit}${digit.toUpperCase()}]`,
  );
  const encoded = base64.map((core) => Array.from(core, base64Digit).join('')).join('|');
  return new RegExp(`${Array.from(secret, escapes).join('')}|${hex.join('')}|(${encoded || '(?!)'})`, 'g');
}

/** The base64 digits that depend only on the value, if `offset` bytes (modulo three) come before it. */
function base64Of(bytes: Buffer, offset: number): string {
  const digits = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return digits.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

function base64Digit(digit: string): string {
  if (digit === '+') return '(?:[+-]|%2[bB])';
  if (digit === '/') return '(?:[/_]|%2[fF]|\\\\+/)';
  return digit;
}

const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;|&#38;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;|&#34;',
  "'": '&#0*39;|&#x27;|&apos;',
};
const JSON_ESCAPES: { readonly [character: string]: string } = {
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\b': 'b',
  '\f': 'f',
};

/** All ways in which a character of a secret may be written. JSON within JSON has more backslashes. */
function escapes(character: string): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character;
  const literal = character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
  const percent = Array.from(Buffer.from(character), (byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`).join(
    '',
  );
  const unicode = Array.from({ length: character.length }, (_, i) => {
    return `\\\\+u${anyCase(character.charCodeAt(i).toString(16).padStart(4, '0'))}`;
  }).join('');
  const letter = JSON_ESCAPES[character];
  return `(?:${[
    // A backslash may precede itself, a quote, and a slash.
    ...(character === '\\' ? ['\\\\+'] : /^["/']$/.test(character) ? [`\\\\*${literal}`] : [literal]),
    percent,
    unicode,
    ...(letter === undefined ? [] : [`\\\\+${letter}`]),
    ...(character === ' ' ? ['\\+'] : []),
    ...(ENTITIES[character] === undefined ? [] : [ENTITIES[character]]),
  ].join('|')})`;
}

function anyCase(digits: string): string {
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

type Range = readonly [from: number, to: number];

function rangesOf(pattern: RegExp, text: string): Range[] {
  const ranges: Range[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const to = found.index + found[0].length;
    // The neighbouring digits hold the rest of its bits.
    const isBase64 = found[1] !== undefined;
    ranges.push(
      isBase64 ? [found.index - base64Before(text, found.index), to + base64After(text, to)] : [found.index, to],
    );
    // A secret may overlap itself.
    pattern.lastIndex = found.index + 1;
  }
  return ranges;
}

function base64Before(text: string, index: number): number {
  return /[\w+/-]/.test(text.charAt(index - 1)) ? 1 : 0;
}

function base64After(text: string, index: number): number {
  return /^[\w+/-]?(?:=|%3[dD]){0,2}/.exec(text.slice(index, index + 8))?.[0].length ?? 0;
}

function cutOut(text: string, ranges: Range[]): string {
  if (ranges.length === 0) return text;
  let clean = '';
  let at = 0;
  for (const [from, to] of ranges.sort(([a], [b]) => a - b)) {
    if (to <= at) continue;
    if (from >= at) clean += `${text.slice(at, from)}${HIDDEN}`;
    at = to;
  }
  return clean + text.slice(at);
}
