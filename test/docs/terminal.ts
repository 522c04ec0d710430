import { type ChildProcess, spawn } from 'node:child_process';
import { endChild } from '../../runtime/process/child-process';
import { until } from '../until';

/** Milliseconds for a command to print lines or to end, on a machine with nothing else to do. */
const PATIENCE = 60_000;

/** A command as a reader types it, and what it has printed so far. */
export class Terminal {
  readonly #child: ChildProcess;
  #output = '';
  #closed = false;
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
    this.#child.once('close', () => {
      this.#closed = true;
    });
  }

  get output(): string {
    return this.#output;
  }

  /**
   * Waits for these lines, in this order, after what was matched before. `…` stands for anything. A call that takes its
   * time is shown before its outcome, too: then `→` is in a later line.
   */
  async prints(lines: string): Promise<void> {
    const pattern = new RegExp(lines.trim().split('\n').map(patternOf).join('[^]*?'));
    let end: number | undefined;
    const look = () => {
      const found = pattern.exec(this.#output.slice(this.#read));
      if (found !== null) end = this.#read + found.index + found[0].length;
      return found !== null;
    };
    await this.#wait(look, `\`${lines.trim()}\` from \`${this.command}\``);
    this.#read = end ?? this.#read;
  }

  /** Waits for the end, and returns the exit code. */
  async exitCode(): Promise<number | null> {
    await this.#wait(() => this.#closed, `the end of \`${this.command}\``);
    return this.#child.exitCode;
  }

  /** Ctrl-C. */
  async interrupt(): Promise<number | null> {
    this.#child.kill('SIGINT');
    return this.exitCode();
  }

  /** Waits for a condition; the error says what was printed. */
  async #wait(condition: () => boolean, what: string): Promise<void> {
    await until(condition, what, PATIENCE).catch((error: Error) => {
      throw new Error(`${error.message}. It printed:\n${this.#output}`);
    });
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
    .map((part) =>
      part
        .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replace(/ →/g, ' (?:…[^]*?)?→')
        .replace(/\s+/g, '\\s+'),
    )
    .join('.*');
}
