import { type ChildProcess, spawn } from 'node:child_process';
import { endChild, ended } from '../../runtime/process/child-process';
import { until } from '../until';

/** Milliseconds that a machine with other work may take for a command that compiles the sources first. */
const PATIENCE = 150_000;

/** A command as a reader types it, and what it has printed so far. */
export class Terminal {
  readonly #child: ChildProcess;
  #output = '';
  /** Characters that earlier calls of {@link prints} have matched. */
  #read = 0;

  constructor(
    readonly command: string,
    options: { cwd: string; env: NodeJS.ProcessEnv },
  ) {
    // `exec`: a signal reaches the program, not its shell.
    this.#child = spawn('/bin/sh', ['-c', `exec ${command}`], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    }
  }

  get output(): string {
    return this.#output;
  }

  /** Waits for these lines, in this order, after what was matched before. `…` stands for anything. */
  async prints(lines: string): Promise<void> {
    const pattern = new RegExp(lines.trim().split('\n').map(patternOf).join('[^]*?'));
    let end: number | undefined;
    const look = () => {
      const found = pattern.exec(this.#output.slice(this.#read));
      if (found !== null) end = this.#read + found.index + found[0].length;
      return found !== null;
    };
    await until(look, `\`${lines.trim()}\` from \`${this.command}\``, PATIENCE).catch((error: Error) => {
      throw new Error(`${error.message}. It printed:\n${this.#output}`);
    });
    this.#read = end ?? this.#read;
  }

  /** Waits for the end, and returns the exit code. */
  async exitCode(): Promise<number | null> {
    await ended(this.#child);
    return this.#child.exitCode;
  }

  /** Ctrl-C. */
  async interrupt(): Promise<number | null> {
    this.#child.kill('SIGINT');
    return this.exitCode();
  }

  /** Ends it after a failed test. */
  async end(): Promise<void> {
    await endChild(this.#child, 10_000);
  }
}

function patternOf(line: string): string {
  return line
    .trim()
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+'))
    .join('.*');
}
