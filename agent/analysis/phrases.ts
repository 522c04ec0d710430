/** Characters of the beginning and of the end of an answer that are analysed: the time does not depend on its length. */
const EDGE = 4000;
/** Characters that the gap of a phrase may span. */
const GAP = 60;
const GAP_MARK = ' * ';
const FENCE = '```';
const APOSTROPHES = /[\u2018\u2019\u02bc\u00b4`]/g;
const SENTENCE_END = /[.!?。！？]/u;
const LETTER = /[\p{L}\p{N}]/u;
/** Scripts that have no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** A text in the form in which phrases are looked for: its edges, without code, in lower case, with single spaces. */
export function comparable(text: string): string {
  const parts = text.length <= 2 * EDGE ? [text] : [text.slice(0, EDGE), text.slice(-EDGE)];
  return parts.map((part) => plain(withoutCode(part))).join('\n');
}

function plain(text: string): string {
  return text.replace(APOSTROPHES, "'").toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Without the parts between fences. Where a fence has no counterpart, all of the text stays. */
function withoutCode(text: string): string {
  const parts = text.split(FENCE);
  return parts.length % 2 === 0 ? text : parts.filter((_, i) => i % 2 === 0).join(' ');
}

/** Words that take the meaning from a phrase: shortly before it or in its gap, or only in its gap. */
export interface Unless {
  negations: readonly string[];
  exceptions: readonly string[];
}

/** The words in the form of {@link comparable}. */
interface Words {
  before: ReadonlySet<string>;
  within: ReadonlySet<string>;
}

/**
 * The first of `phrases` that a text contains.
 * @param text as {@link comparable} returns it
 */
export function findPhrase(text: string, phrases: readonly string[], unless?: Unless): string | undefined {
  const before = (unless?.negations ?? []).map(plain);
  const within = (unless?.exceptions ?? []).map(plain);
  const words: Words = { before: new Set(before), within: new Set([...before, ...within]) };
  return phrases.find((phrase) => contains(text, phrase, words));
}

function contains(text: string, phrase: string, words: Words): boolean {
  const [head = '', ...rest] = phrase.split(GAP_MARK).map(plain);
  if (head === '') return false;
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, at + 1)) {
    const end = at + head.length;
    const isMeant = isWhole(text, at, end) && !wordsBefore(text, at).some((word) => words.before.has(word));
    if (isMeant && isFollowed(text, end, rest, words)) return true;
  }
  return false;
}

/** Whether the other parts of a phrase follow in the same sentence. */
function isFollowed(text: string, from: number, parts: readonly string[], { within }: Words): boolean {
  let end = from;
  for (const part of parts) {
    const at = text.slice(0, end + GAP + part.length).indexOf(part, end);
    if (part === '' || at < 0 || !isWhole(text, at, at + part.length)) return false;
    const gap = text.slice(end, at);
    if (SENTENCE_END.test(gap) || gap.split(' ').some((word) => within.has(word))) return false;
    end = at + part.length;
  }
  return true;
}

/** Whether a match neither begins nor ends within a word. */
function isWhole(text: string, at: number, end: number): boolean {
  return !isJoined(text[at - 1], text[at]) && !isJoined(text[end - 1], text[end]);
}

function isJoined(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined || UNSPACED.test(a) || UNSPACED.test(b)) return false;
  return LETTER.test(a) && LETTER.test(b);
}

/** Words before a phrase that may negate it. */
const BEFORE = 2;
/** Characters that two words have at most. */
const WORDS = 40;

function wordsBefore(text: string, at: number): string[] {
  return text
    .slice(Math.max(0, at - WORDS), at)
    .trimEnd()
    .split(' ')
    .slice(-BEFORE);
}
