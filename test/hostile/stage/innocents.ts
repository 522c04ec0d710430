import { writeFileSync } from 'node:fs';
import type { AgentClient } from '../../../client/agent-client';
import type { RunHandle } from '../../../client/runs/run-handle';
import { readLines, releaseFile } from '../../durability/stage/tool-log';
import type { ChatMessage } from '../../kit/model-reply';
import { type ModelServer, serveModel } from '../../kit/model-server';
import { call, text } from '../../kit/scripted-model';
import { until } from '../../until';
import { innocent } from './agents';

/** Milliseconds that its model takes to answer. */
const PACE = 60;

/**
 * The model of the innocent runs: `holder` waits in its `once` tool, `ticker` pays and takes short turns until it is
 * stopped.
 */
export class Innocents {
  readonly #stopped = new Set<string>();
  #count = 0;

  private constructor(
    private readonly dir: string,
    private readonly serving: () => ModelServer,
  ) {}

  static async open(dir: string): Promise<Innocents> {
    const serving: { it?: ModelServer } = {};
    const all = new Innocents(dir, () => serving.it as ModelServer);
    serving.it = await serveModel(({ messages }) => all.#answer(messages));
    return all;
  }

  get url(): string {
    return this.serving().url;
  }

  close(): Promise<void> {
    return this.serving().close();
  }

  /** Two runs that are in the middle of their work when this resolves. */
  async start(client: AgentClient): Promise<Innocent> {
    const name = `innocent-${this.#count++}`;
    const [holder, ticker] = await Promise.all(
      ['holder', 'ticker'].map((kind) => client.start(innocent, { id: `${name}.${kind}`, input: { kind, name } })),
    );
    const it = new Innocent(name, holder as RunHandle, ticker as RunHandle, this.dir, () => this.#stopped.add(name));
    await until(() => it.payments(`${name}.holder`) === 1 && it.ticks > 0, 'the work of the innocent runs');
    return it;
  }

  #answer(messages: readonly ChatMessage[]) {
    const content = messages.find(({ role }) => role === 'user')?.content;
    const { kind, name } = JSON.parse(typeof content === 'string' ? content : (content?.[0]?.text ?? '')) as {
      kind: string;
      name: string;
    };
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    if (turn === 0) return call('pay', { item: kind, hold: kind === 'holder' });
    if (kind === 'holder' || this.#stopped.has(name)) return text('done');
    return call('tick', { n: turn }, { delay: PACE });
  }
}

/** Observations of innocent runs. */
export class Innocent {
  /** The longest of: milliseconds between a fact and its observation, or between two observations. */
  worst = 0;
  ticks = 0;
  readonly #followed: Promise<void>;

  constructor(
    readonly name: string,
    private readonly holder: RunHandle,
    private readonly ticker: RunHandle,
    private readonly dir: string,
    private readonly stop: () => void,
  ) {
    this.#followed = this.#follow();
    // Returned by `end`.
    this.#followed.catch(() => undefined);
  }

  get ids(): string[] {
    return [this.holder.id, this.ticker.id];
  }

  payments(run: string): number {
    return readLines(this.dir).filter((line) => line.run === run && line.event === 'start').length;
  }

  /** Ends the runs in order: each has paid once, and said so. Returns the longest stall. */
  async end(): Promise<number> {
    this.stop();
    writeFileSync(releaseFile(this.dir, this.holder.id), '');
    const ends = await Promise.all([this.holder, this.ticker].map((run) => run.result()));
    await this.#followed;
    expect(ends.map(({ data }) => data)).toEqual(['done', 'done']);
    for (const run of [this.holder, this.ticker]) {
      expect({ run: run.id, payments: this.payments(run.id) }).toEqual({ run: run.id, payments: 1 });
      const told = JSON.stringify(await run.transcript({ from: 2 }).then((all) => all[0]));
      expect(told).toContain(`paid ${run.id.split('.')[1]}`);
    }
    return this.worst;
  }

  async #follow(): Promise<void> {
    let before: number | undefined;
    for await (const fact of this.ticker.facts()) {
      const now = Date.now();
      // The test does not wait for its start; from the first tick on it must not stall.
      if (this.ticks > 0) this.worst = Math.max(this.worst, now - fact.time, now - (before ?? now));
      before = now;
      if (fact.type === 'tool.result' && fact.name === 'tick') this.ticks++;
    }
  }
}
