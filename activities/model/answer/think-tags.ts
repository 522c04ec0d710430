import type { ModelPart } from '../../../agent/model/adapter';

/** A piece of an answer whose tags have been read. */
export type ReadPart =
  | ModelPart
  /** All text so far is reasoning, except for its last `tag` characters. */
  | { type: 'text was reasoning'; tag: number };

/** The tags in which models write reasoning, each with its end. */
const PAIRS = [
  { begin: '<think>', end: '</think>' },
  { begin: '<thinking>', end: '</thinking>' },
] as const;
const LONGEST = '</thinking>'.length;
const ANY_TAG = /<(\/?)think(?:ing)?>/g;

/** Characters of white space that may come before the first tag. */
const MAX_BLANK = 100;

/**
 * Turns reasoning that a model writes in tags at the beginning of its text into parts of its own, while it streams.
 * Elsewhere, tags are text. A first tag that ends a reasoning which had no beginning counts, since chat templates of
 * DeepSeek-R1 and others write the beginning into the prompt: it has to begin or end its line, so that a sentence about
 * the tag stays a text.
 */
export class ThinkTags {
  #at: 'start' | 'inside' | 'text' | 'end tag' | 'ended' | 'off' = 'start';
  /** What may be the beginning of a tag, or the white space before it. */
  #held = '';
  /** The tag that ends the reasoning. */
  #end = '';
  /** The reasoning has no text yet: the white space before it is left out. */
  #blank = true;
  /** The end of the text so far, which may contain the beginning of a tag. */
  #tail = '';

  /** What a part of an adapter says. */
  read(part: ModelPart): ReadPart[] {
    if (this.#at === 'off') return [part];
    if (part.type === 'text') return this.#text(part.text);
    if (part.type === 'reasoning') return part.text === '' ? [part] : [...this.close(), part];
    return part.type === 'call' || part.type === 'refusal' ? [...this.close(), part] : [part];
  }

  /** What has been held back. Later tags are text. */
  close(): ReadPart[] {
    const at = this.#at;
    this.#at = 'off';
    const held = this.#held;
    this.#held = '';
    if (at === 'end tag') return [this.#wasReasoning()];
    return held === '' ? [] : [at === 'inside' ? { type: 'reasoning', text: held } : { type: 'text', text: held }];
  }

  #text(more: string): ReadPart[] {
    if (more === '') return [];
    switch (this.#at) {
      case 'start':
        return this.#start(this.#held + more);
      case 'inside':
        return this.#inside(this.#held + more);
      case 'text':
        return this.#watch(more);
      case 'end tag':
        return this.#afterEndTag(more);
      case 'ended':
        return this.#afterEnd(more);
      case 'off':
        return [{ type: 'text', text: more }];
    }
  }

  #start(said: string): ReadPart[] {
    const text = said.trimStart();
    const pair = PAIRS.find(({ begin }) => text.startsWith(begin));
    if (pair !== undefined) {
      this.#at = 'inside';
      this.#end = pair.end;
      this.#blank = true;
      return this.#inside(text.slice(pair.begin.length));
    }
    if (said.length <= MAX_BLANK && PAIRS.some(({ begin }) => begin.startsWith(text))) {
      this.#held = said;
      return [];
    }
    this.#held = '';
    this.#at = 'text';
    return this.#watch(said);
  }

  #inside(said: string): ReadPart[] {
    const text = this.#blank ? said.trimStart() : said;
    const at = text.indexOf(this.#end);
    const held = at < 0 ? beginningOf(this.#end, text) : 0;
    const reasoning = at < 0 ? text.slice(0, text.length - held) : text.slice(0, at);
    const parts: ReadPart[] = reasoning === '' ? [] : [{ type: 'reasoning', text: reasoning }];
    if (reasoning !== '') this.#blank = false;
    this.#held = text.slice(text.length - held);
    return at < 0 ? parts : [...parts, ...this.#afterEnd(text.slice(at + this.#end.length))];
  }

  /** Text without a tag at its beginning: the first tag may still end a reasoning. */
  #watch(more: string): ReadPart[] {
    const known = this.#tail;
    const text = known + more;
    const found = firstTag(text);
    if (found === undefined) {
      // One more character, which tells whether the tag begins its line.
      this.#tail = text.slice(-LONGEST);
      return [{ type: 'text', text: more }];
    }
    const { end, tag, isEnd, beginsLine } = found;
    const shown = (to: number): ReadPart[] => [{ type: 'text', text: text.slice(known.length, to) }];
    this.#end = tag;
    if (isEnd && (beginsLine || isLineBreak(text[end]))) {
      return [...shown(end), this.#wasReasoning(), ...this.#afterEnd(text.slice(end))];
    }
    this.#at = isEnd && end === text.length ? 'end tag' : 'off';
    return shown(text.length);
  }

  /** A tag has ended the text so far; what comes next tells whether it is one. */
  #afterEndTag(more: string): ReadPart[] {
    if (isLineBreak(more[0])) return [this.#wasReasoning(), ...this.#afterEnd(more)];
    this.#at = 'off';
    return [{ type: 'text', text: more }];
  }

  /** The text after the reasoning. The white space before it has no meaning. */
  #afterEnd(more: string): ReadPart[] {
    const text = more.trimStart();
    this.#held = '';
    this.#at = text === '' ? 'ended' : 'off';
    return text === '' ? [] : [{ type: 'text', text }];
  }

  #wasReasoning(): ReadPart {
    return { type: 'text was reasoning', tag: this.#end.length };
  }
}

/** A whole answer without the reasoning that it begins with. */
export function afterThinking(answer: string): string {
  const text = answer.trimStart();
  const pair = PAIRS.find(({ begin }) => text.startsWith(begin));
  if (pair !== undefined) {
    const end = text.indexOf(pair.end);
    return end < 0 ? '' : text.slice(end + pair.end.length);
  }
  const found = firstTag(answer);
  if (found === undefined || !found.isEnd) return answer;
  const isAlone = found.beginsLine || found.end === answer.length || isLineBreak(answer[found.end]);
  return isAlone ? answer.slice(found.end) : answer;
}

interface Tag {
  tag: string;
  end: number;
  isEnd: boolean;
  beginsLine: boolean;
}

function firstTag(text: string): Tag | undefined {
  ANY_TAG.lastIndex = 0;
  const found = ANY_TAG.exec(text);
  if (found === null) return undefined;
  const [tag, slash] = found;
  const beginsLine = found.index === 0 || isLineBreak(text[found.index - 1]);
  return { tag, end: found.index + tag.length, isEnd: slash === '/', beginsLine };
}

/** How many of the last characters of a text may be the beginning of `tag`. */
function beginningOf(tag: string, text: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}

function isLineBreak(character: string | undefined): boolean {
  return character === '\n' || character === '\r';
}
