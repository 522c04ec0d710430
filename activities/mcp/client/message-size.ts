/** Bytes of a message: over this it ends its connection. JSON of one text of that size holds the event loop for 100 ms. */
const MAX_BYTES = 32 * 1024 * 1024;
/**
 * Values of a message: so many fields hold the event loop for 100 ms while they are parsed, ten times as many for over a
 * second. A text is one value, however long.
 */
const MAX_VALUES = 100_000;
/** What a comma, and what a list or an object that begins, takes of the time: 100,000 levels in one another are harmless. */
const WEIGHT = { comma: 5, begin: 2 };
const MAX_WEIGHT = MAX_VALUES * WEIGHT.comma;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;

/** What a message is made of, counted while it arrives: it is parsed in one go, during which nothing else runs. */
export class MessageSize {
  #bytes = 0;
  #weight = 0;
  #inText = false;
  #escaped = false;
  #emptyLine = false;

  /** @param events each message ends with an empty line; otherwise with `next` */
  constructor(private readonly events = false) {}

  add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    // Fields of their own cost several times as much for each of millions of bytes.
    let [weight, inText, escaped, emptyLine] = [this.#weight, this.#inText, this.#escaped, this.#emptyLine];
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i];
      if (byte === NEWLINE) {
        // JSON has none inside a text: nothing before it says anything about what follows.
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

  /** Another message begins. */
  next(): void {
    this.#bytes = 0;
    this.#weight = 0;
    this.#inText = false;
    this.#escaped = false;
  }

  /** What is too much about the message in progress; `undefined` where it may be parsed. */
  get excess(): string | undefined {
    if (this.#bytes > MAX_BYTES) return `more than ${MAX_BYTES / 1024 / 1024} MB`;
    return this.#weight > MAX_WEIGHT ? `more than ${MAX_VALUES} values` : undefined;
  }
}
