import { setTimeout as delay } from 'node:timers/promises';
import type { Teller } from './teller';

/** Milliseconds, on average, between two things that a person does. */
const PACE = 350;

/** What a person does as well. */
interface Also {
  /** Asks for new histories. */
  nudges?: boolean;
  /** Asks models again that do not answer, and uses another one. */
  mends?: boolean;
}

/** A person who does things at random. */
export class RandomPerson {
  constructor(
    private readonly teller: Teller,
    private readonly also: Also = {},
  ) {}

  /** Does this many things, or fewer if the run ends first. */
  async talk(times: number, over: AbortSignal): Promise<void> {
    for (let i = 0; i < times && !over.aborted; i++) {
      await delay(this.teller.random.below(2 * PACE), undefined, { signal: over }).catch(() => undefined);
      if (!over.aborted) this.teller.later(() => this.#say(`${this.teller.id}-${i}`));
    }
  }

  /** Closes the conversation. */
  close(): Promise<void> {
    return this.teller.tell(this.teller.via(), 'close', {}, '');
  }

  async #say(mark: string): Promise<void> {
    const random = this.teller.random;
    if (this.also.nudges && random.below(3) === 0) await this.teller.tell('signal', 'continueAsNew', {}, mark);
    const by = random.pick(['ann', 'bob']);
    const said = { text: mark, id: mark, by };
    if (this.also.mends && random.next() < 0.3) return this.teller.tell(this.teller.via(), 'retry', { by }, mark);
    const dice = random.next();
    if (dice < 0.25) return this.#send(said);
    if (dice < 0.35) return this.teller.tell(this.teller.via(), 'steer', said, mark);
    if (dice < 0.47) return this.teller.tell(this.teller.via(), 'steer', { ...said, when: 'now' }, mark);
    if (dice < 0.57) return this.teller.tell(this.teller.via(), 'interrupt', { by }, mark);
    if (dice < 0.7) return this.teller.tell(this.teller.via(), 'undo', this.#undone(by), mark);
    if (dice < 0.75) return this.teller.tell(this.teller.via(), 'regenerate', { by }, mark);
    if (dice < 0.78) return this.teller.tell(this.teller.via(), 'rename', { title: mark, by }, mark);
    if (dice < 0.83) {
      const model = random.pick(['default', 'spare', 'spare', 'other', 'nowhere']);
      return this.teller.tell(this.teller.via(), 'switchModel', { model, by }, mark);
    }
    if (dice < 0.86) return this.teller.tell(this.teller.via(), 'compact', { keep: 1 + random.below(4), by }, mark);
    if (dice < 0.91) return this.#mistake(mark);
    // A call that does not exist, is yet to come, or is over.
    const toolUseId = `t${1 + random.below(4)}.${1 + random.below(3)}`;
    if (dice < 0.93) return this.teller.tell(this.teller.via(), 'deny', { toolUseId, by }, toolUseId);
    return this.teller.tell('signal', 'toolResult', { toolUseId, data: { left: 0 } }, toolUseId);
  }

  #undone(by: string) {
    const random = this.teller.random;
    return random.next() < 0.7
      ? { count: 1 + random.below(2), by }
      : { toolUseId: `t${1 + random.below(4)}.${1 + random.below(3)}`, by };
  }

  /** Now and then the sender is not sure that it was sent, and sends it again, perhaps in another way. */
  async #send(said: { text: string; id: string }): Promise<void> {
    const vias = this.teller.random.below(4) === 0 ? [this.teller.via(), this.teller.via()] : [this.teller.via()];
    await Promise.all(vias.map((via) => this.teller.tell(via, 'send', said, said.id)));
  }

  #mistake(mark: string): Promise<void> {
    const what = this.teller.random.pick([
      'send',
      'steer',
      'answer',
      'approve',
      'edit',
      'undo',
      'rename',
      'switchModel',
      'compact',
      'toolResult',
      'serviceAnswer',
    ]);
    const payload = this.teller.random.pick<{ [field: string]: unknown }>([
      { strange: 1 },
      { text: 5, id: mark },
      { toolUseId: 7 },
      { questionId: '' },
      { count: -1 },
    ]);
    const via = what === 'toolResult' || what === 'serviceAnswer' ? 'signal' : this.teller.via();
    return this.teller.tell(via, what, payload, mark, true);
  }
}
