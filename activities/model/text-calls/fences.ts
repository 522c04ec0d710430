const NEWLINE = 0x0a;
const BACKTICK = 0x60;
const TILDE = 0x7e;
const SPACE = 0x20;
const TAB = 0x09;
const RETURN = 0x0d;

/** Spaces that may come before a fence. */
const MAX_INDENT = 3;
/** Characters of the shortest fence. */
const FENCE = 3;

/** Tells, while a text arrives, whether it is in a fenced code block of Markdown. */
export class Fences {
  /** The fence that has opened a block; 0: there is none. */
  #openChar = 0;
  #openLength = 0;
  #at: 'indent' | 'fence' | 'info' | 'after fence' | 'line' = 'indent';
  #indent = 0;
  /** The fence at the beginning of the line, as far as it has arrived. */
  #char = 0;
  #length = 0;
  /** The fence of this line has opened the block. */
  #opens = false;

  get areOpen(): boolean {
    return this.#openChar !== 0;
  }

  /** Takes the next character of the text, as its code. */
  read(code: number): void {
    if (code === NEWLINE) this.#endLine();
    else if (this.#at === 'indent') this.#begin(code);
    else if (this.#at === 'fence') this.#grow(code);
    else if (this.#at === 'after fence' && !isBlank(code)) this.#at = 'line';
    // Such a line is a text with code in it: ```so```.
    else if (this.#at === 'info' && code === BACKTICK && this.#char === BACKTICK) this.#openChar = 0;
  }

  #begin(code: number): void {
    if (code === SPACE && this.#indent < MAX_INDENT) {
      this.#indent++;
      return;
    }
    const isFence = code === BACKTICK || code === TILDE;
    this.#at = isFence && (!this.areOpen || this.#openChar === code) ? 'fence' : 'line';
    this.#char = code;
    this.#length = 1;
    this.#opens = false;
  }

  #grow(code: number): void {
    if (code === this.#char) {
      this.#length++;
      if (!this.areOpen && this.#length === FENCE) this.#opens = true;
      if (!this.#opens) return;
      this.#openChar = code;
      this.#openLength = this.#length;
      return;
    }
    if (this.#opens) this.#at = 'info';
    else this.#at = this.#isEnd && isBlank(code) ? 'after fence' : 'line';
  }

  /** The fence of this line is long enough to end the block. */
  get #isEnd(): boolean {
    return !this.#opens && this.areOpen && this.#length >= this.#openLength;
  }

  #endLine(): void {
    if (this.#at === 'after fence' || (this.#at === 'fence' && this.#isEnd)) this.#openChar = 0;
    this.#at = 'indent';
    this.#indent = 0;
  }
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || code === RETURN;
}
