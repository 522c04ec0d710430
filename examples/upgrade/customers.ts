import { setTimeout as delay } from 'node:timers/promises';
import type { AgentClient } from 'holdfast/client';
import type { Desk } from './agents';

/** What the customers have asked, and what they were told. */
export class Customers {
  readonly ids: readonly string[];
  readonly asked = new Map<string, string[]>();
  answered = 0;
  readonly byBuild: { [build: string]: number } = {};

  constructor(
    private readonly client: AgentClient,
    count: number,
  ) {
    this.ids = Array.from({ length: count }, (_, i) => `desk-${i + 1}`);
  }

  /** One message of a customer, and its answer. */
  async ask(id: string): Promise<void> {
    const questions = this.asked.get(id) ?? [];
    this.asked.set(id, questions);
    const order = `${id.replace('desk-', '')}-${questions.length + 1}`;
    questions.push(order);
    const chat = this.#chat(id);
    const { data } = await chat.answerTo(await chat.send(`Where is order ${order}`));
    const [, told, build = ''] = /^Order (\S+) is on its way \(build (\d+)\)$/.exec(String(data)) ?? [];
    if (told !== order) throw new Error(`${id} asked for order ${order} and was told: ${data}`);
    this.answered++;
    this.byBuild[build] = (this.byBuild[build] ?? 0) + 1;
  }

  /** Customers who write again and again, until the signal. */
  async keepAsking(ids: readonly string[], signal: AbortSignal): Promise<void> {
    await Promise.all(
      ids.map(async (id) => {
        while (!signal.aborted) {
          await this.ask(id);
          await delay(500);
        }
      }),
    );
  }

  get sent(): number {
    return [...this.asked.values()].flat().length;
  }

  /** Messages that the transcripts do not have with their answers, once and in order. */
  async lost(): Promise<number> {
    let lost = 0;
    for (const id of this.ids) {
      const messages = await this.#chat(id).transcript({ form: 'openai' });
      const answers = messages.flatMap(({ role, content }) =>
        role === 'assistant' && typeof content === 'string' ? [content] : [],
      );
      const orders = answers.map((answer) => /^Order (\S+)/.exec(answer)?.[1]);
      const asked = this.asked.get(id) ?? [];
      lost += Math.max(asked.filter((order, i) => orders[i] !== order).length, orders.length - asked.length);
    }
    return lost;
  }

  #chat(id: string) {
    return this.client.conversation<Desk>('shop.desk', { id, input: null });
  }
}
