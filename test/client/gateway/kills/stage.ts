import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../runtime/process/ports';
import { type DevServer, startDevServer } from '../../../../workers/dev/dev-server';
import { WorkerChild } from '../../../durability/stage/worker-child';
import { RedisServer } from '../../../kit/redis-server';
import { Child, megabytesOf, startServing } from './children';
import { roundRobin } from './proxy';

export const TOKEN = 'token-of-this-machine';

/** A process that a test kills and starts again. */
export interface Victim {
  name: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Everything that an installation has: two servers behind one address, two workers, Redis and Temporal, each a process. */
export class Stage {
  #gateways: Child[] = [];
  #workers: WorkerChild[] = [];
  /** What processes that were killed have printed. */
  readonly #printed: string[] = [];

  private constructor(
    private readonly dir: string,
    private readonly ports: readonly number[],
    private readonly redis: RedisServer,
    private readonly model: Child,
    private temporal: DevServer,
    private readonly proxy: Awaited<ReturnType<typeof roundRobin>>,
  ) {}

  static async open(): Promise<Stage> {
    const dir = mkdtempSync(join(tmpdir(), 'holdfast-kills-'));
    const first = await freePort('127.0.0.1');
    const ports = [first, await freePort('127.0.0.1', [first])];
    const [redis, model, temporal, proxy] = await Promise.all([
      RedisServer.start(),
      Child.start(require.resolve('./model-process'), [], process.env),
      startDevServer({ ui: false, dbFile: join(dir, 'temporal.db') }),
      roundRobin(ports),
    ]);
    const stage = new Stage(dir, ports, redis, model, temporal, proxy);
    const config = {
      temporal: { address: temporal.address },
      agents: require.resolve('./agents'),
      models: { default: { baseUrl: model.url, model: 'scripted' } },
      bus: { redis: redis.url },
      // All readers of the test have one token.
      gateway: { limits: { requests: 1_000_000, streams: 10_000 } },
    };
    // JSON is YAML.
    writeFileSync(stage.#config, JSON.stringify(config));
    try {
      await Promise.all([0, 1].flatMap((i) => [stage.#serve(i), stage.#work(i)]));
      return stage;
    } catch (error) {
      await stage.close();
      throw error;
    }
  }

  /** The one address of both servers. */
  get url(): string {
    return this.proxy.url;
  }

  get #config(): string {
    return join(this.dir, 'temporal.yaml');
  }

  /** All that can be killed. */
  get victims(): Victim[] {
    return [
      ...[0, 1].map((i) => ({
        name: `server ${i + 1}`,
        kill: async () => {
          await this.#gateways[i]?.kill();
          this.#printed.push(this.#gateways[i]?.output ?? '');
        },
        start: () => this.#serve(i),
      })),
      ...[0, 1].map((i) => ({
        name: `worker ${i + 1}`,
        kill: async () => this.#workers[i]?.kill(),
        start: () => this.#work(i),
      })),
      { name: 'Redis', kill: () => this.redis.kill(), start: () => this.redis.restart() },
      {
        name: 'Temporal',
        kill: async () => {
          process.kill(this.temporal.pid, 'SIGKILL');
          await this.temporal.ended;
        },
        start: async () => {
          const port = Number(this.temporal.address.split(':').at(-1));
          this.temporal = await startDevServer({ ui: false, dbFile: join(this.dir, 'temporal.db'), port });
        },
      },
    ];
  }

  victim(name: string): Victim {
    const found = this.victims.find((one) => one.name === name);
    if (found === undefined) throw new Error(`There is no ${name} here`);
    return found;
  }

  /** Megabytes of each server and worker. */
  memory(): number[] {
    return [...this.#gateways, ...this.#workers].map(({ pid }) => megabytesOf(pid));
  }

  /** What the servers have logged. */
  get serverLog(): string {
    return [...this.#printed, ...this.#gateways.map(({ output }) => output)].join('\n');
  }

  /** What the workers that live have logged. */
  get workerLog(): string {
    return this.#workers.map(({ output }) => output).join('\n');
  }

  async close(): Promise<void> {
    await Promise.all([...this.#gateways, ...this.#workers, this.model].map((child) => child.kill()));
    await Promise.all([this.proxy.close(), this.redis.close(), this.temporal.stop()]);
    rmSync(this.dir, { recursive: true });
  }

  async #serve(i: number): Promise<void> {
    this.#gateways[i] = await startServing(this.#config, this.ports[i] as number, TOKEN);
  }

  async #work(i: number): Promise<void> {
    const env = { TEMPORAL_ADDRESS: this.temporal.address, HOLDFAST_LOG: 'warn' };
    this.#workers[i] = await WorkerChild.start(this.#config, env);
  }
}
