import type { ChatRequest } from './model-reply';

/** Characters of JSON. Every request holds the whole transcript: those of a run of 1,000 turns would fill the heap. */
const MAX_KEPT = 32 * 1024 * 1024;

/** The bodies of the newest requests of a server. */
export class KeptBodies {
  readonly #kept: { body: ChatRequest | undefined; size: number }[] = [];
  #oldest = 0;
  #size = 0;

  constructor(private readonly max: number = MAX_KEPT) {}

  /**
   * Keeps a body while there is room; the function that it returns throws once the body has made room for newer ones.
   */
  keep(body: ChatRequest, size: number): () => ChatRequest {
    const entry: { body: ChatRequest | undefined; size: number } = { body, size };
    const number = this.#kept.push(entry);
    this.#size += size;
    for (; this.#size > this.max && this.#oldest < this.#kept.length - 1; this.#oldest++) {
      const old = this.#kept[this.#oldest];
      if (old === undefined) continue;
      old.body = undefined;
      this.#size -= old.size;
    }
    return () => {
      if (entry.body !== undefined) return entry.body;
      throw new Error(`The body of request ${number} is no longer kept: only the newest ${this.max} characters are`);
    };
  }
}
