import type { Fact } from '../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../agent/protocol/stream';
import { visible } from '../../agent/values/visible';
import { factLine } from './facts/fact-line';
import { DeltaLines } from './stream/delta-lines';
import { ENDS_ANSWER } from './stream/ends-answer';
import { isDelta } from './stream/is-delta';

/** Every fact of a run with its number, and deltas, as lines for people. */
export class VerboseLines {
  readonly #deltas = new DeltaLines((kind, line) => this.say(visible(`      ${kind.padEnd(15)} ${line}`).trimEnd()));

  constructor(private readonly say: (line: string) => void) {}

  note(event: Fact | StreamDelta): void {
    if (isDelta(event)) {
      this.#deltas.note(event);
      return;
    }
    if (event.type === 'text.withdrawn') this.#deltas.withdraw(event.turn);
    else if (ENDS_ANSWER.has(event.type)) this.#deltas.flush();
    else this.#deltas.pause();
    this.say(factLine(event));
  }

  end(): void {
    this.#deltas.flush();
  }
}
