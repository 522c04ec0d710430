import { EndTag } from './end-tag';
import { Fences } from './fences';
import { type Opening, OpeningTag, TOOL_END } from './opening-tag';

/** Receives the pieces of an answer, in order. */
export interface Tagged {
  text(piece: string): void;
  /** A piece of what is in thinking tags. */
  thinking(piece: string): void;
  callBegins(): void;
  callPiece(piece: string): void;
  /** The tag that ends a call has arrived. `false`: it is part of the call. */
  callEnds(): boolean;
}

const BACKTICK = 0x60;
const LESS_THAN = 0x3c;

/**
 * Tells text, thinking and calls of an answer apart while it arrives; how it is cut into pieces changes nothing. Tags in
 * code are text. After a call it reads nothing more. Its time is linear in the length of the answer.
 */
export class TagScanner {
  /** The call has ended. */
  isOver = false;
  #at: 'text' | 'thinking' | 'call' = 'text';
  /** The tag that may have begun. */
  readonly #tag = new OpeningTag();
  /** What earlier pieces have of it. */
  #held = '';
  #end = new EndTag(TOOL_END);
  /** The last character of the text. */
  #before = 0;
  readonly #fences = new Fences();

  constructor(private readonly out: Tagged) {}

  read(piece: string): void {
    for (let at = 0; at < piece.length && !this.isOver; ) {
      at = this.#at === 'text' ? this.#text(piece, at) : this.#untilEnd(piece, at);
    }
  }

  /** Nothing more arrives. */
  close(): void {
    if (this.isOver) return;
    if (this.#at === 'text') this.#say(this.#held);
    else if (this.#at === 'thinking') this.#think(this.#end.close());
    else this.#call(this.#end.close());
  }

  #text(piece: string, from: number): number {
    // Where the tag begins that may have begun.
    let tagAt = from;
    for (let i = from; i < piece.length; i++) {
      const code = piece.charCodeAt(i);
      if (this.#tag.isOpen) {
        const is = this.#tag.read(code);
        if (is === 'unknown') continue;
        if (is !== 'none') {
          this.#say(piece.slice(from, tagAt));
          return this.#begin(is, i);
        }
        this.#leaveTag();
      }
      if (code === LESS_THAN && !this.#fences.areOpen && this.#before !== BACKTICK) {
        this.#tag.begin();
        tagAt = i;
      }
      this.#fences.read(code);
      this.#before = code;
    }
    if (!this.#tag.isOpen) tagAt = piece.length;
    this.#say(piece.slice(from, tagAt));
    this.#held += piece.slice(tagAt);
    return piece.length;
  }

  /** It is a text after all. */
  #leaveTag(): void {
    this.#tag.leave();
    this.#say(this.#held);
    this.#held = '';
    this.#before = 0;
  }

  #begin({ what, end }: Opening, at: number): number {
    this.#tag.leave();
    this.#held = '';
    this.#before = 0;
    this.#at = what;
    this.#end = new EndTag(end);
    if (what === 'call') this.out.callBegins();
    return at + 1;
  }

  #untilEnd(piece: string, from: number): number {
    const isCall = this.#at === 'call';
    const { at, found } = this.#end.read(piece, from, (text) => (isCall ? this.#call(text) : this.#think(text)));
    if (!found) return at;
    if (!isCall) this.#at = 'text';
    else if (this.out.callEnds()) this.isOver = true;
    else this.#call(TOOL_END);
    return at;
  }

  #say(text: string): void {
    if (text !== '') this.out.text(text);
  }

  #think(text: string): void {
    if (text !== '') this.out.thinking(text);
  }

  #call(text: string): void {
    if (text !== '') this.out.callPiece(text);
  }
}
