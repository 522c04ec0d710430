import { firstOf, type StreamDelta } from '../../../../agent/protocol/stream';
import type { UiChunk } from '../chunks';
import { Spoken } from './spoken';

/** What a model says in one turn. */
export class SpokenTurn {
  readonly text: Spoken;
  readonly reasoning: Spoken;
  /** Its answer is known, or never will be. */
  isSettled = false;

  constructor(readonly number: number) {
    this.text = new Spoken('text', number);
    this.reasoning = new Spoken('reasoning', number);
  }

  /** The attempt starts over. */
  clear(): void {
    this.text.clear();
    this.reasoning.clear();
  }

  /** This is what counts in the end. */
  settle(text: string, reasoning: string): UiChunk[] {
    if (this.isSettled) return [];
    this.isSettled = true;
    return [...this.reasoning.settle(reasoning), ...this.text.settle(text)];
  }
}

/** The attempts of a model. Where the beginning of one is lost, its pieces fit nowhere: its answer comes as a fact. */
export class Attempts {
  #current: { name: string; beginsAt: number; isWhole?: boolean } = { name: '', beginsAt: 0 };

  /** Whether the beginning of the attempt that a delta belongs to is known. */
  isWhole(delta: StreamDelta): boolean {
    const name = `${delta.callId} ${delta.attempt}`;
    const isNew = name !== this.#current.name;
    if (delta.type === 'stream.clear') this.#current = { name, beginsAt: delta.seq + 1 };
    else if (isNew) this.#current = { name, beginsAt: 0 };
    const attempt = this.#current;
    if (delta.type === 'stream.clear') return true;
    attempt.isWhole ??= [0, attempt.beginsAt].includes(firstOf(delta));
    return attempt.isWhole;
  }
}
