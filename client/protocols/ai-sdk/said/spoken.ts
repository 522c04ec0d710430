import type { UiChunk } from '../chunks';

/**
 * What a model says in one turn: its text, or its reasoning. Attempts may fail after a part of it was shown, which a
 * stream cannot take back. So the next attempt shows only what it adds, as long as it says the same; where it says
 * something else, a data part marks what no longer counts.
 */
export class Spoken {
  #part = 1;
  #isOpen = false;
  /** What readers have seen of the current part. */
  #shown = '';
  /** What the current attempt has said. */
  #said = '';

  constructor(
    private readonly kind: 'text' | 'reasoning',
    private readonly turn: number,
  ) {}

  /** The attempt says more. */
  add(text: string): UiChunk[] {
    this.#said += text;
    return this.#show(this.#said, false);
  }

  /** The attempt starts over. */
  clear(): void {
    this.#said = '';
  }

  /** This is what counts in the end. */
  settle(text: string): UiChunk[] {
    this.#said = text;
    const chunks = this.#show(text, true);
    if (!this.#isOpen) return chunks;
    this.#isOpen = false;
    return [...chunks, this.#end()];
  }

  #show(text: string, isFinal: boolean): UiChunk[] {
    const shown = this.#shown;
    if (text === shown) return [];
    if (text.startsWith(shown)) {
      this.#shown = text;
      const delta: UiChunk = { type: `${this.kind}-delta`, id: this.#id, delta: text.slice(shown.length) };
      if (this.#isOpen) return [delta];
      this.#isOpen = true;
      return [{ type: `${this.kind}-start`, id: this.#id }, delta];
    }
    if (!isFinal && shown.startsWith(text)) return [];
    return [...this.withdraw(), ...this.#show(text, isFinal)];
  }

  /** What readers have seen no longer counts. */
  withdraw(): UiChunk[] {
    if (this.#shown === '') return [];
    const withdrawn: UiChunk = { type: 'data-withdrawn', id: this.#id, data: { id: this.#id, text: this.#shown } };
    const ended = this.#isOpen ? [this.#end()] : [];
    this.#part++;
    this.#isOpen = false;
    this.#shown = '';
    return [...ended, withdrawn];
  }

  get #id(): string {
    return `${this.kind === 'text' ? 't' : 'r'}${this.turn}.${this.#part}`;
  }

  #end(): UiChunk {
    return { type: `${this.kind}-end`, id: this.#id };
  }
}
