/** What a tag opens, and the tag that ends it. */
export interface Opening {
  what: 'thinking' | 'call';
  end: string;
}

export const TOOL_END = '</tool>';

/** A prefix of a tag: what may follow it, and what it opens. */
interface Prefix {
  next: Map<number, Prefix>;
  opens?: Opening;
}

const ROOT: Prefix = { next: new Map() };
add('<tool>', { what: 'call', end: TOOL_END });
add('<thinking>', { what: 'thinking', end: '</thinking>' });
add('<think>', { what: 'thinking', end: '</think>' });

/** Attributes are left out. They are on the line of their tag. */
const ATTRIBUTES: Prefix = { next: new Map() };
const WITH_ATTRIBUTES: Opening = { what: 'call', end: TOOL_END };
for (const space of [' ', '\t']) add(`<tool${space}`, undefined, ATTRIBUTES);

/** Characters of attributes. With more it is a text. */
const MAX_ATTRIBUTES = 100;

const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const SLASH = 0x2f;
const NEWLINE = 0x0a;

/** Reads tags that arrive character by character. */
export class OpeningTag {
  #prefix: Prefix | undefined;
  #attributes = 0;
  #last = 0;

  /** A tag may have begun with `<`. */
  begin(): void {
    this.#prefix = ROOT.next.get(LESS_THAN);
    this.#attributes = 0;
    this.#last = 0;
  }

  /** A tag has begun, and may go on. */
  get isOpen(): boolean {
    return this.#prefix !== undefined;
  }

  /** What has begun is none. */
  leave(): void {
    this.#prefix = undefined;
  }

  /** Takes the next character, as its code. `none`: it opens nothing. */
  read(code: number): Opening | 'none' | 'unknown' {
    if (this.#prefix === ATTRIBUTES) return this.#attribute(code);
    this.#prefix = this.#prefix?.next.get(code);
    if (this.#prefix === undefined) return 'none';
    return this.#prefix.opens ?? 'unknown';
  }

  #attribute(code: number): Opening | 'none' | 'unknown' {
    if (code === GREATER_THAN) return this.#last === SLASH ? 'none' : WITH_ATTRIBUTES;
    this.#last = code;
    const isText = code === LESS_THAN || code === NEWLINE || ++this.#attributes > MAX_ATTRIBUTES;
    return isText ? 'none' : 'unknown';
  }
}

function add(tag: string, opens: Opening | undefined, end: Prefix = { next: new Map() }): void {
  let at = ROOT;
  for (const [i, character] of [...tag].entries()) {
    const code = character.charCodeAt(0);
    const next = at.next.get(code) ?? (i === tag.length - 1 ? end : { next: new Map() });
    at.next.set(code, next);
    at = next;
  }
  if (opens !== undefined) at.opens = opens;
}
