import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endChild } from '../../runtime/process/child-process';
import { freePort } from '../../runtime/process/ports';

/** Milliseconds that it may take to end. */
const GRACE = 5000;

/** A Redis that keeps nothing on disk, in a process of its own, for tests and benchmarks. */
export class RedisServer {
  #process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly dir: string,
    private readonly settings: readonly string[],
  ) {}

  /** @param settings such as `--requirepass`, `secret` */
  static async start(...settings: string[]): Promise<RedisServer> {
    const dir = await mkdtemp(join(tmpdir(), 'holdfast-redis-'));
    const redis = new RedisServer(await freePort('127.0.0.1'), dir, settings);
    await redis.restart();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it again on its port, empty. */
  async restart(): Promise<void> {
    await this.kill();
    const args = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.dir];
    const child = spawn('redis-server', [...args, '--save', '', '--appendonly', 'no', ...this.settings], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#process = child;
    await new Promise<void>((resolve, reject) => {
      child.once('error', (cause) =>
        reject(
          new Error('There is no `redis-server` here: install it with `apt-get install -y redis-server`', { cause }),
        ),
      );
      child.once('exit', (code) => reject(new Error(`redis-server ended with ${code} before it was ready`)));
      createInterface(child.stdout).on('line', (line) => {
        if (line.includes('Ready to accept connections')) resolve();
      });
    });
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    await this.#end(0);
  }

  /** It takes connections, and answers none until {@link proceed}. */
  hang(): void {
    this.#process?.kill('SIGSTOP');
  }

  proceed(): void {
    this.#process?.kill('SIGCONT');
  }

  /** Ends it, and removes its folder. */
  async close(): Promise<void> {
    this.proceed();
    await this.#end(GRACE);
    await rm(this.dir, { recursive: true, force: true });
  }

  async #end(grace: number): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child !== undefined) await endChild(child, grace);
  }
}
