import type { Client } from '@temporalio/client';
import { rootCause } from '@temporalio/common';
import type { Fact, FactPage } from '../../../agent/protocol/facts/fact';
import { type Pending, QUERY } from '../../../agent/protocol/queries';
import type { QueryPace } from './query-pace';

/** Milliseconds that a query waits for a worker. */
const PATIENCE = 3000;

/** Queries one run all the time, each kind of query in turn. */
export class RandomReader {
  asked = 0;
  /** Queries that were not answered, by reason. */
  readonly failed: { [why: string]: number } = {};
  /** The facts as they arrived during the run. */
  readonly heard: Fact[] = [];

  constructor(
    private readonly client: Client,
    private readonly id: string,
    private readonly hear: (pending: Pending) => void,
  ) {}

  /** Queries at the common pace until the run is over and all answers have arrived. */
  async read(pace: QueryPace, over: AbortSignal): Promise<void> {
    const kinds = [() => this.#pending(), () => this.#facts(), () => this.#ask(QUERY.state), () => this.#child()];
    const open = new Set<Promise<unknown>>();
    let turn = 0;
    const ask = () => {
      const asking = kinds[turn++ % kinds.length]?.() ?? Promise.resolve();
      open.add(asking);
      asking.finally(() => open.delete(asking));
      return asking;
    };
    pace.add(ask);
    await new Promise((resolve) => over.addEventListener('abort', resolve));
    pace.remove(ask);
    await Promise.all(open);
  }

  #child: () => Promise<void> = async () => undefined;

  async #pending(): Promise<void> {
    const pending = await this.#ask<Pending>(QUERY.pending);
    if (pending === undefined) return;
    const child = pending.services.find(({ kind }) => kind === 'agent' || kind === 'child');
    this.#child = async () => {
      await (child === undefined ? this.#ask(QUERY.budget) : this.#ask(QUERY.pending, undefined, child.ref));
    };
    this.hear(pending);
  }

  async #facts(): Promise<void> {
    let page = await this.#ask<FactPage>(QUERY.facts, this.heard.length);
    // An earlier history has the next one.
    const [oldest] = page?.earlier ?? [];
    if (oldest !== undefined) {
      page = await this.#ask<FactPage>(QUERY.facts, this.heard.length, this.id, oldest.runId);
    }
    for (const fact of page?.facts ?? []) if (fact.seq > this.heard.length) this.heard.push(fact);
  }

  /** Workers die, and a query is not worth waiting for: the next one comes soon. */
  async #ask<Answer>(name: string, argument?: unknown, id = this.id, runId?: string): Promise<Answer | undefined> {
    this.asked++;
    const handle = this.client.workflow.getHandle(id, runId);
    try {
      return await this.client.withDeadline(Date.now() + PATIENCE, () =>
        handle.query<Answer, [unknown]>(name, argument),
      );
    } catch (error) {
      const why = (rootCause(error) ?? String(error)).replace(/[\d\W]+/g, ' ').slice(0, 60);
      this.failed[why] = (this.failed[why] ?? 0) + 1;
      return undefined;
    }
  }
}
