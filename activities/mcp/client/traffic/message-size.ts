/**
 * Bytes of a message: a larger one ends its connection. Parsing one text of that size holds the event loop for 100 ms.
 */
export const MAX_BYTES = 32 * 1024 * 1024;
/**
 * Values of a message: parsing so many fields holds the event loop for 100 ms, ten times as many for over a
 * second. A text is one value, however long it is.
 */
const MAX_VALUES = 100_000;
/** Relative cost of a comma, and of the start of a list or an object: 100,000 nested levels are harmless. */
const WEIGHT = { comma: 5, begin: 2 };
const MAX_WEIGHT = MAX_VALUES * WEIGHT.comma;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;

/** A message exceeds the limits. The server would send it again. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** Measures a message while it arrives: it is parsed in one go, during which nothing else runs. */
export class MessageSize {
  #bytes = 0;
  #weight = 0;
  #inText = false;
  #escaped = false;
  #emptyLine = false;

  /** @param events each message ends with an empty line; otherwise with a call of `next` */
  constructor(private readonly events = false) {}

  add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    // Private fields cost several times as much for each of millions of bytes.
    let [weight, inText, escaped, emptyLine] = [this.#weight, this.#inText, this.#escaped, this.#emptyLine];
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i];
      if (byte === NEWLINE) {
        // JSON has no newline inside a text: nothing before it says anything about what follows.
        inText = false;
        escaped = false;
        if (this.events && emptyLine && weight <= MAX_WEIGHT && this.#bytes <= MAX_BYTES) {
          weight = 0;
          this.#bytes = bytes.length - i - 1;
        }
        emptyLine = true;
      } else if (byte !== RETURN) {
        emptyLine = false;
        if (!inText) {
          if (byte === QUOTE) inText = true;
          else if (byte === COMMA) weight += WEIGHT.comma;
          else if (byte === BRACE || byte === BRACKET) weight += WEIGHT.begin;
        } else if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inText = false;
      }
    }
    this.#weight = weight;
    this.#inText = inText;
    this.#escaped = escaped;
    this.#emptyLine = emptyLine;
  }

  /** The next message begins. */
  next(): void {
    this.#bytes = 0;
    this.#weight = 0;
    this.#inText = false;
    this.#escaped = false;
  }

  /** How the message in progress exceeds the limits; `undefined` if it may be parsed. */
  get excess(): string | undefined {
    if (this.#bytes > MAX_BYTES) return `more than ${MAX_BYTES / 1024 / 1024} MB`;
    return this.#weight > MAX_WEIGHT ? `more than ${MAX_VALUES} values` : undefined;
  }
}
