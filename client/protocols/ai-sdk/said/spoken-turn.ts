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
