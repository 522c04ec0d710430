import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { ended, endWithParent } from '../../../runtime/process/child-process';
import type { WorkerMessage } from '../../../workers/worker-process';
import { RUN_TS } from '../../sources';
import { until } from '../../until';

const WORKER = require.resolve('../../../workers/worker-process');

/** A worker as `holdfast worker` runs it, in a separate process, so that a kill ends nothing else. */
export class WorkerChild {
  #output = '';

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    }
  }

  static async start(configPath: string, env: { [name: string]: string }): Promise<WorkerChild> {
    const child = fork(RUN_TS, [WORKER, '--config', configPath], {
      env: { ...process.env, HOLDFAST_LOG: 'debug', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    endWithParent(child);
    const worker = new WorkerChild(child);
    const message = await new Promise<WorkerMessage | undefined>((resolve) => {
      child.once('message', (said) => resolve(said as WorkerMessage));
      child.once('exit', () => resolve(undefined));
    });
    if (message?.type !== 'ready')
      throw new Error(`The worker did not start: ${JSON.stringify(message)} ${worker.output}`);
    return worker;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  get output(): string {
    return this.#output;
  }

  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The answer to a message that the module of its agents listens for. */
  async ask<Answer>(question: string): Promise<Answer> {
    const [answer] = await Promise.all([once(this.child, 'message'), this.child.send(question)]);
    return answer[0] as Answer;
  }

  /** `kill -9`: the whole process has ended when this resolves. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await ended(this.child);
  }

  /** SIGTERM, as a deploy sends it. */
  terminate(): void {
    this.child.kill('SIGTERM');
  }

  /** Waits until it takes no new work: it was asked to end, and has begun to. */
  async stopping(): Promise<void> {
    await until(() => this.#output.includes('STOPPING'), `the worker ${this.pid} to begin its end`);
  }

  /** Its exit code, once it has ended. */
  async end(): Promise<number | null> {
    await ended(this.child);
    return this.child.exitCode;
  }
}
