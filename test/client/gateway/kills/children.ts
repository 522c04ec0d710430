import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { ended, endWithParent } from '../../../../runtime/process/child-process';
import { MAIN, RUN_TS } from '../../../sources';

/** A process of this test that says when it is ready. */
export class Child {
  /** What it has printed. */
  output = '';
  /** Where it serves. */
  url = '';

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (piece: Buffer) => {
        this.output += piece.toString();
      });
    }
  }

  static async start(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Child> {
    const process = fork(RUN_TS, [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    endWithParent(process);
    const child = new Child(process);
    child.url = await new Promise<string>((resolve, reject) => {
      process.once('message', (said) => resolve((said as { url: string }).url));
      process.once('exit', (code) => reject(new Error(`${file} ended with ${code}: ${child.output}`)));
    });
    return child;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** `kill -9` */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await ended(this.child);
  }
}

/** `holdfast serve`, as a deployment starts it. */
export function startServing(config: string, port: number, token: string): Promise<Child> {
  const env = { ...process.env, HOLDFAST_TOKEN: token, HOLDFAST_LOG: 'warn' };
  return Child.start(MAIN, ['serve', '--config', config, '--port', String(port)], env);
}

/** Megabytes that a process has in memory. */
export function megabytesOf(pid: number): number {
  return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024);
}
