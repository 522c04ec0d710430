import { setTimeout as delay } from 'node:timers/promises';
import type { PendingApproval } from '../../../agent/approvals/approval';
import type { PendingQuestion } from '../../../agent/conversation/questions';
import type { PendingService } from '../../../agent/protocol/calls/pending-service';
import type { Pending } from '../../../agent/protocol/queries';
import type { Teller } from './teller';

/** Milliseconds that an answer in time takes at most. */
const PACE = 350;

/** People who decide and answer, and services: sometimes wrong, twice, or late. */
export class RandomAnswers {
  readonly #known = new Set<string>();

  constructor(private readonly teller: Teller) {}

  /** Answers everything that the run waits for, except some waits that expire by themselves. */
  hear({ approvals, questions, services }: Pending): void {
    this.#each(approvals, ({ toolUseId, escalated = false }) => `approval ${toolUseId} ${escalated}`, this.#decide);
    this.#each(questions, ({ questionId }) => `question ${questionId}`, this.#reply);
    this.#each(services, ({ ref }) => `service ${ref}`, this.#serve);
  }

  #each<T>(all: readonly T[], name: (one: T) => string, act: (this: this, one: T) => Promise<void>): void {
    for (const one of all) {
      if (this.#known.has(name(one))) continue;
      this.#known.add(name(one));
      this.teller.later(() => act.call(this, one));
    }
  }

  async #decide({ toolUseId, expiresAt, escalated }: PendingApproval): Promise<void> {
    const random = this.teller.random;
    const wait = random.below(PACE);
    const whats = random.pick([['approve'], ['approve'], ['deny'], ['edit'], ['approve', 'deny'], ['edit', 'edit']]);
    const remember = random.pick([undefined, undefined, 'run', 'agent']);
    const vias = whats.map(() => this.teller.via());
    if (expiresAt !== undefined && random.next() < 0.4) return;
    await delay(wait);
    await Promise.all(
      whats.map((what, i) => {
        const by = ['ann', 'bob'][i] as string;
        const who = { toolUseId, by, ...(escalated ? { roles: ['boss'] } : {}) };
        const more = what === 'edit' ? { input: { item: `${toolUseId}, edited by ${by}` } } : remember && { remember };
        return this.teller.tell(vias[i] ?? 'update', what, { ...who, ...more }, toolUseId);
      }),
    );
  }

  async #reply({ questionId, schema, expiresAt, tool }: PendingQuestion): Promise<void> {
    const random = this.teller.random;
    const wait = random.below(PACE);
    const [first, last] = [this.teller.via(), this.teller.via()];
    const [declines, wrong, twice] = [random.below(4) === 0, random.below(3) === 0, random.below(4) === 0];
    if (expiresAt !== undefined && random.next() < 0.4) return;
    await delay(wait);
    const number = tool === 'ask_number' || schema?.type === 'number';
    if (number && wrong) await this.teller.tell(first, 'answer', { questionId, answer: 'many', by: 'ann' }, questionId);
    const answers = ['ann', 'bob'].slice(0, twice ? 2 : 1).map((by, i) => {
      const answer = declines && i === 0 ? { decline: true } : { answer: number ? 7 : `${by} says ${questionId}` };
      return this.teller.tell(last, 'answer', { questionId, ...answer, by }, questionId);
    });
    await Promise.all(answers);
  }

  async #serve({ toolUseId, ref, kind, expiresAt }: PendingService): Promise<void> {
    const random = this.teller.random;
    const wait = random.below(PACE);
    const how = random.pick(['data', 'data', 'data', 'data', 'error', 'broken']);
    const [wrong, twice, late] = [random.below(5) === 0, random.below(4) === 0, random.next() < 0.4];
    if (kind === 'child' || kind === 'agent') return;
    if (expiresAt !== undefined && late) await delay(2000);
    await delay(wait);
    const data = how === 'broken' ? 'three' : { left: random.below(100) };
    const send = (id: string) => {
      if (kind === 'signal') {
        const result = how === 'error' ? { error: 'no one is there' } : { data };
        return this.teller.tell('signal', 'toolResult', { toolUseId: id, ...result }, id);
      }
      const event = {
        specversion: '1.0',
        id: `${ref}/answer`,
        source: 'random',
        subject: this.teller.id,
        type: how === 'error' ? 'sys.com.post.count.error' : 'evt.post.count.success',
        time: '2026-01-01T00:00:00Z',
        datacontenttype: 'application/json',
        parentid: id === toolUseId ? ref : `${ref}9`,
        data: how === 'error' ? { errorName: 'Lost', errorMessage: 'by the post', errorStack: null } : data,
      };
      return this.teller.tell('signal', 'serviceAnswer', event, id);
    };
    if (wrong) await send(`${toolUseId}9`);
    await Promise.all([send(toolUseId), ...(twice ? [send(toolUseId)] : [])]);
  }
}
