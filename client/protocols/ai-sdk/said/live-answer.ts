import type { Fact } from '../../../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../../../agent/protocol/stream';
import type { CallParts } from '../calls/calls';
import type { UiChunk } from '../chunks';
import { SpokenTurn } from './spoken-turn';
import { Steers } from './steers';

/** A piece of an answer. */
type AnswerDelta = Exclude<StreamDelta, { type: 'tool.progress' }>;

/** The turn in progress: its answer as it grows, after what people have said to it. */
export class LiveAnswer {
  readonly #steers = new Steers();
  #turn: SpokenTurn | undefined;
  /** Deltas that came before what their turn has begun with, and so before what the turn before it brought. */
  #early: AnswerDelta[] = [];

  constructor(private readonly calls: CallParts) {}

  /** Number of the turn. 0: there was none. */
  get turn(): number {
    return this.#turn?.number ?? 0;
  }

  /** There are deltas whose turn no fact has told of yet. */
  get isBehind(): boolean {
    return this.#early.length > 0;
  }

  /** A piece of an answer. */
  add(delta: AnswerDelta): UiChunk[] {
    const turn = this.#turn;
    if (turn === undefined || delta.turn > turn.number || (delta.turn === turn.number && this.#steers.areMissing)) {
      this.#early.push(delta);
      return [];
    }
    if (delta.turn < turn.number || turn.isSettled) return [];
    switch (delta.type) {
      case 'stream.text':
        return turn.text.add(delta.text);
      case 'stream.reasoning':
        return turn.reasoning.add(delta.text);
      case 'stream.tool':
        return this.calls.streamed(`t${delta.turn}.${delta.index + 1}`, delta.name, delta.arguments);
      case 'stream.clear':
        turn.clear();
        return this.calls.startOver(delta.turn);
      case 'stream.complete':
        return [];
    }
  }

  /** What a fact changes: `chunks` in its place, after the pieces that came before their turn. */
  around(fact: Fact, chunks: () => UiChunk[]): UiChunk[] {
    if (fact.type === 'message.received') this.#steers.received(fact);
    // What people said comes first in a turn: after any other fact, nothing of it is to be expected.
    if (fact.type === 'message' && fact.message.role === 'user') return [...chunks(), ...this.#release()];
    this.#steers.answered();
    return [...this.#release(), ...chunks()];
  }

  /** Whether a person has said the next text of the role `user`. */
  takeSteer(): boolean {
    return this.#steers.take();
  }

  /** The run begins a turn: `step` is called if it is a new one. */
  begin(number: number, step: () => UiChunk[]): UiChunk[] {
    this.#steers.begin();
    const chunks = this.reach(number, step);
    return [...chunks, ...this.#release()];
  }

  /** There is something of a turn: `step` is called if it is a new one. */
  reach(number: number, step: () => UiChunk[]): UiChunk[] {
    if (this.#turn !== undefined && number <= this.#turn.number) return [];
    // A turn whose answer never came: what was shown of it does not count.
    const before = this.settle('', '');
    this.#turn = new SpokenTurn(number);
    return [...before, ...step()];
  }

  /** This is what counts of the turn in the end. */
  settle(text: string, reasoning: string): UiChunk[] {
    return this.#turn?.settle(text, reasoning) ?? [];
  }

  /** The text of the turn does not count: the model is asked to go on. */
  withdraw(): UiChunk[] {
    return this.#turn?.text.withdraw() ?? [];
  }

  /** The deltas that wait no longer. */
  #release(): UiChunk[] {
    const early = this.#early;
    this.#early = [];
    return early.flatMap((delta) => this.add(delta));
  }
}
