/** Milliseconds that a menu has to be on the screen before a key counts: an earlier key was not meant for it. */
const GRACE = 500;
/** Milliseconds between two keys below which they were not typed: a terminal may deliver pasted text in pieces. */
const FASTEST = 15;

/** Input that came from the terminal at once: one key, or several that were pasted or typed ahead. */
interface Chunk {
  text: string;
  at: number;
  counts: boolean;
}

/**
 * Tells a key that a person presses to decide from text that happens to arrive: pasted, typed ahead, or started before
 * the menu appeared. Takes the terminal's input in the chunks in which it arrives.
 */
export class LoneKey {
  #counts = false;
  #grace: NodeJS.Timeout | undefined;
  #before: Chunk | undefined;
  #last: Chunk | undefined;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The menu is on the screen now. */
  begin(): void {
    this.end();
    this.#grace = setTimeout(() => {
      // Input that was typed until now has to be read first: a busy process reads late.
      setImmediate(() => {
        this.#counts = this.#grace !== undefined;
      });
    }, GRACE);
  }

  /** The menu is gone. */
  end(): void {
    clearTimeout(this.#grace);
    this.#grace = undefined;
    this.#counts = false;
    this.#before = this.#last = undefined;
  }

  note(text: string): void {
    this.#before = this.#last;
    this.#last = { text, at: this.now(), counts: this.#counts };
  }

  /** At Enter: the key that was pressed just before, if each arrived alone and in time. */
  get pressed(): string | undefined {
    const [key, enter] = [this.#before, this.#last];
    if (key === undefined || enter === undefined || !key.counts) return undefined;
    if (!/^[\r\n]$/.test(enter.text) || !/^[\p{L}\p{N}]$/u.test(key.text)) return undefined;
    return enter.at - key.at < FASTEST ? undefined : key.text.toLowerCase();
  }
}
