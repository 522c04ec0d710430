import { setTimeout as delay } from 'node:timers/promises';
import { HoldfastError } from '../../agent/error';
import type { Fact } from '../../agent/fact';
import type { RunHandle } from '../../client/run-handle';
import { type Random, randomFrom } from './random';

/** Something that a person told a run, and what the run said to it. */
export interface Deed {
  what:
    | 'send'
    | 'steer'
    | 'interrupt'
    | 'regenerate'
    | 'undo'
    | 'rename'
    | 'answer'
    | 'decline'
    | 'approve'
    | 'deny'
    | 'edit';
  /** The text, the question or the call that it is about. */
  about: string;
  /** Of an answer the text, of an edit the new item. */
  with?: string;
  taken?: unknown;
  refused?: string;
}

type Told = (deed: Deed, tell: () => Promise<unknown>) => Promise<void>;

/** Milliseconds, on average, between two things that a person does. */
const PACE = 700;

/** A person who says whatever comes to mind, beside one who answers what the run asks. */
export class RandomPerson {
  readonly deeds: Deed[] = [];
  /** The facts as they came while the run went on. */
  readonly heard: Fact[] = [];
  readonly #random: Random;

  constructor(
    readonly run: RunHandle<unknown>,
    seed: number,
  ) {
    this.#random = randomFrom(seed);
  }

  async talk(times: number): Promise<void> {
    const under: Promise<void>[] = [];
    for (let i = 0; i < times; i++) {
      await delay(this.#random.below(2 * PACE));
      under.push(this.#sayOrDo(`${this.run.id}-${i}`));
    }
    await Promise.all(under);
  }

  /** Reads what happens, and sees to it that nobody waits in vain; until the run has ended. */
  async serve(): Promise<void> {
    const under: Promise<void>[] = [];
    for await (const fact of this.run.facts()) {
      this.heard.push(fact);
      if (fact.type === 'question.asked') under.push(this.#reply(fact.questionId));
      if (fact.type === 'approval.requested') under.push(this.#decide(fact.toolUseId));
    }
    await Promise.all(under);
  }

  #sayOrDo(mark: string): Promise<void> {
    const { run } = this;
    const dice = this.#random.next();
    if (dice < 0.45) return this.#send(mark);
    if (dice < 0.55) return this.#told({ what: 'steer', about: mark }, () => run.steer(mark, { id: mark }));
    if (dice < 0.67) {
      return this.#told({ what: 'steer', about: mark }, () => run.steer(mark, { id: mark, when: 'now' }));
    }
    if (dice < 0.77) return this.#told({ what: 'interrupt', about: mark }, () => run.interrupt({ by: 'ann' }));
    if (dice < 0.9) return this.#told({ what: 'undo', about: mark }, () => run.undo(1 + this.#random.below(2)));
    if (dice < 0.95) return this.#told({ what: 'regenerate', about: mark }, () => run.regenerate());
    return this.#told({ what: 'rename', about: mark }, () => run.rename(mark));
  }

  /** Now and then somebody is not sure that it was sent, and sends it again, by another way perhaps. */
  async #send(mark: string): Promise<void> {
    const { run } = this;
    const again = this.#random.below(6);
    const said = this.#told({ what: 'send', about: mark }, () => run.send(mark, { id: mark }));
    if (again === 0) await this.#told({ what: 'send', about: mark }, () => run.send(mark, { id: mark }));
    if (again === 1) await run.workflow.signal('send', { text: mark, id: mark });
    await said;
  }

  /** Sometimes two do at once. */
  async #reply(questionId: string): Promise<void> {
    const { run } = this;
    const wait = this.#random.below(PACE);
    const twice = this.#random.below(4) === 0;
    const declines = this.#random.below(4) === 0;
    await delay(wait);
    const answers = ['ann', 'bob'].slice(0, twice ? 2 : 1).map((by) => {
      const answer = `${by} says ${run.id} ${questionId}`;
      return declines
        ? this.#told({ what: 'decline', about: questionId, with: answer }, () =>
            run.decline(questionId, { by, reason: answer }),
          )
        : this.#told({ what: 'answer', about: questionId, with: answer }, () => run.answer(questionId, answer, { by }));
    });
    await Promise.all(answers);
  }

  async #decide(toolUseId: string): Promise<void> {
    const { run } = this;
    const ask = { toolUseId };
    const wait = this.#random.below(PACE);
    const whats = [this.#decision(), ...(this.#random.below(4) === 0 ? [this.#decision()] : [])];
    await delay(wait);
    await Promise.all(
      whats.map((what, i) => {
        const by = ['ann', 'bob'][i] as string;
        const item = `${toolUseId}, edited by ${by}`;
        return this.#told({ what, about: toolUseId, ...(what === 'edit' ? { with: item } : {}) }, () => {
          if (what === 'deny') return run.deny(ask, { by });
          return what === 'edit' ? run.edit(ask, { by, input: { item } }) : run.approve(ask, { by });
        });
      }),
    );
  }

  #decision(): 'approve' | 'deny' | 'edit' {
    return this.#random.pick(['approve', 'approve', 'deny', 'edit']);
  }

  /** Either it was taken, or it was refused by name: all else is a mistake of ours. */
  #told: Told = async (deed, tell) => {
    this.deeds.push(deed);
    try {
      deed.taken = (await tell()) ?? true;
    } catch (error) {
      if (!(error instanceof HoldfastError)) throw error;
      deed.refused = error.type;
    }
  };
}
