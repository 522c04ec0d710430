import { type ChildProcess, fork } from 'node:child_process';
import { eachLine, endChild, endWithParent } from '../runtime/process/child-process';

export interface ChildOptions {
  args?: readonly string[];
  env?: { readonly [name: string]: string };
  /** Node's own options, such as `--cpu-prof`. */
  execArgv?: readonly string[];
}

/** Milliseconds for an orderly shutdown, in which a CPU profile is written. */
const STOP_TIMEOUT = 20_000;

/** A process of this benchmark that sends `{type: 'ready', …}` once it works. */
export class Child<Ready extends object> {
  private constructor(
    readonly process: ChildProcess,
    /** The message that it sent when it was ready. */
    readonly ready: Ready,
  ) {}

  static async start<Ready extends object = object>(module: string, options: ChildOptions = {}): Promise<Child<Ready>> {
    const { args = [], env = {}, execArgv = [] } = options;
    const child = fork(module, [...args], {
      env: { ...process.env, ...env },
      execArgv: [...execArgv],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    endWithParent(child);
    let said = '';
    eachLine(child.stderr, (line) => {
      said = `${said}\n${line}`.slice(-2000);
    });
    const ready = await new Promise<Ready>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`${module} ended with ${code} before it was ready:${said}`)));
      child.once('message', (message: { type: string } & Ready) => {
        if (message.type === 'ready') resolve(message);
        else reject(new Error(`${module} did not start: ${JSON.stringify(message)}${said}`));
      });
    });
    return new Child(child, ready);
  }

  get pid(): number {
    return this.process.pid as number;
  }

  stop(): Promise<void> {
    return endChild(this.process, STOP_TIMEOUT);
  }
}
