import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { whileLinked } from '../../../runtime/abort/linked-abort';
import { WorkerChild } from '../../durability/stage/worker-child';
import { until } from '../../until';
import type { Random } from './random';

/** Runs that a worker keeps in memory; `default`: its own default. */
const CACHES = [0, 1, 2, 'default'] as const;

/**
 * Two workers, each in its own process. Again and again one or both are killed and others take over, two with each size
 * of the cache in turn.
 */
export class RandomWorkers {
  kills = 0;
  /** How many workers were started with each size of the cache. */
  readonly caches: { [cache: string]: number } = {};
  #started = 0;
  #workers: WorkerChild[] = [];
  /** Milliseconds that the start of a worker takes: on a slow machine they must live longer to get anything done. */
  #slowness = 0;
  readonly #over = new AbortController();
  /** Ends the pause before the next kill. */
  #hurry = new AbortController();
  #killing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly dir: string,
    private readonly random: Random,
    private readonly envOf: (started: number) => { [name: string]: string },
  ) {}

  /**
   * @param config the content of temporal.yaml without its section `worker`
   * @param envOf the environment of the nth worker
   */
  static async open(
    dir: string,
    config: object,
    random: Random,
    envOf: (started: number) => { [name: string]: string } = () => ({}),
  ): Promise<RandomWorkers> {
    for (const cache of CACHES) {
      const worker = { shutdownGrace: '100ms', ...(cache === 'default' ? {} : { maxCachedWorkflows: cache }) };
      // JSON is YAML.
      writeFileSync(join(dir, `${cache}.yaml`), JSON.stringify({ ...config, worker }));
    }
    const workers = new RandomWorkers(dir, random, envOf);
    workers.#workers = await Promise.all([workers.#begin(), workers.#begin()]);
    workers.#killing = workers.#kill();
    return workers;
  }

  async #kill(): Promise<void> {
    const { signal } = this.#over;
    const pause = () => {
      this.#hurry = new AbortController();
      return whileLinked([signal, this.#hurry.signal], (ends) =>
        delay(this.#slowness * (1 + 6 * this.random.next()), undefined, { signal: ends }).catch(() => undefined),
      );
    };
    for (await pause(); !signal.aborted; await pause()) {
      const next = await this.#begin();
      // Now and then both at once: then no worker has a run in memory.
      const victims = this.#workers.splice(0, this.random.below(6) === 0 ? 2 : 1);
      this.#workers.push(next);
      this.kills += victims.length;
      await Promise.all(victims.map((victim) => victim.kill()));
      if (this.#workers.length < 2) this.#workers.push(await this.#begin());
    }
  }

  /** Waits until this many workers were killed, even on a machine that starts them slowly. */
  async killed(times: number): Promise<void> {
    await until(
      () => {
        if (this.kills < times) this.#hurry.abort();
        return this.kills >= times;
      },
      `${times} kills`,
      300_000,
    );
  }

  async #begin(): Promise<WorkerChild> {
    const started = this.#started++;
    const cache = String(CACHES[Math.floor(started / 2) % CACHES.length]);
    const began = Date.now();
    const env = { HOLDFAST_DURABILITY_DIR: this.dir, HOLDFAST_LOG: 'warn', ...this.envOf(started) };
    const worker = await WorkerChild.start(join(this.dir, `${cache}.yaml`), env);
    this.#slowness = Date.now() - began;
    this.caches[cache] = (this.caches[cache] ?? 0) + 1;
    return worker;
  }

  async close(): Promise<void> {
    this.#over.abort();
    await this.#killing;
    await Promise.all(this.#workers.map((worker) => worker.kill()));
  }
}
