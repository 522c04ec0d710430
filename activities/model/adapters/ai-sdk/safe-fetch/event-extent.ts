import { closes, MAX_VALUES, MAX_WRAPPED_DEPTH, opens, tooDeep, tooMany } from '../../../../json-extent';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** Counts what a JSON text is made of while its bytes arrive, as `excessOf` counts a whole text. */
export class EventExtent {
  #values = 1;
  #depth = 0;
  #inText = false;
  #isEscaped = false;

  /** @param moreValues values that a text may have in addition: those that a server repeats from the request */
  constructor(private readonly moreValues: () => number) {}

  /** Begins another text. */
  reset(): void {
    this.#values = 1;
    this.#depth = 0;
    this.endLine();
  }

  /** A text of JSON ends with its line at the latest. */
  endLine(): void {
    this.#inText = false;
    this.#isEscaped = false;
  }

  /** @returns how the text exceeds the limits; `undefined` if it may be parsed */
  add(byte: number): string | undefined {
    if (this.#inText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#inText = false;
      return undefined;
    }
    if (byte === QUOTE) this.#inText = true;
    else if (closes(byte)) this.#depth--;
    else if (byte === COMMA || opens(byte)) {
      if (opens(byte) && ++this.#depth > MAX_WRAPPED_DEPTH) return tooDeep(MAX_WRAPPED_DEPTH);
      if (++this.#values > MAX_VALUES && this.#values > MAX_VALUES + this.moreValues()) return tooMany();
    }
    return undefined;
  }
}
