import type { Log } from '../../../agent/define/context';
import { messageOf } from '../../../agent/errors/error';

/** Says once that Redis cannot be used, and once that it can again. */
export class Outage {
  #isOn = false;

  constructor(
    private readonly log: Log,
    private readonly where: string,
  ) {}

  begin(error: unknown): void {
    if (this.#isOn) return;
    this.#isOn = true;
    const about = { redis: this.where, problem: messageOf(error) };
    this.log.warn(about, 'The bus cannot use Redis: answers do not stream to other machines until it can');
  }

  /** @param lost deltas that did not get there */
  end(lost?: number): void {
    if (!this.#isOn) return;
    this.#isOn = false;
    const about = { redis: this.where, ...(lost === undefined ? {} : { lost }) };
    this.log.info(about, 'The bus can use Redis again');
  }
}
