import type { ChildProcess } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

const TAIL = 2048;
const LINE = 300;

/** What a server printed and how it ended, for error messages: the protocol itself says neither. */
export class ServerOutput {
  #child: ChildProcess | undefined;
  #stderr = '';
  #partial = '';
  #stdout = '';

  /** @param clean removes secrets from a line, before it is cut */
  constructor(
    private readonly clean: (line: string) => string,
    private readonly onLine: (line: string) => void,
  ) {}

  /** Watches the process once it runs, for its exit code. */
  watch(child: ChildProcess): void {
    this.#child = child;
  }

  stderr(chunk: string): void {
    this.#stderr = tail(this.#stderr + chunk);
    const lines = (this.#partial + chunk).split('\n');
    this.#partial = tail(lines.pop() ?? '');
    for (const line of lines) if (line.trim() !== '') this.onLine(this.clean(line.trimEnd()));
  }

  /** The beginning is enough to see that the server prints lines that are not messages. */
  stdout(chunk: Buffer): void {
    if (this.#stdout.length < TAIL) this.#stdout = (this.#stdout + chunk.subarray(0, TAIL)).slice(0, TAIL);
  }

  /** How the process ended; `undefined` while it runs. */
  end(): string | undefined {
    const { exitCode, signalCode } = this.#child ?? {};
    if (typeof exitCode !== 'number' && typeof signalCode !== 'string') return undefined;
    return typeof exitCode === 'number' ? `exited with code ${exitCode}` : `was ended by ${signalCode}`;
  }

  /** The last thing it printed, to be appended to a problem. */
  complaint(): string {
    const complaint = lastComplaint(this.#stderr);
    const line = garbage(this.#stdout);
    const said = [
      ...(complaint === undefined ? [] : [this.#short(complaint)]),
      ...(line === undefined ? [] : [`its standard output holds, instead of MCP messages, \`${this.#short(line)}\``]),
    ];
    return said.length === 0 ? '' : `: ${said.join('; ')}`;
  }

  #short(line: string): string {
    return this.clean(line.trim()).slice(0, LINE);
  }
}

/** Stack frames and the fields of an error are indented, and Node ends a crash with its version: neither says why. */
function lastComplaint(stderr: string): string | undefined {
  const lines = stripVTControlCharacters(stderr)
    .split('\n')
    .filter((line) => /^[^\s{}[\]]/.test(line) && !line.startsWith('Node.js v'));
  return lines.at(-1);
}

function garbage(stdout: string): string | undefined {
  return stripVTControlCharacters(stdout)
    .split('\n')
    .find((text) => text.trim() !== '' && !text.startsWith('{'));
}

/** The end of a text, starting at a word: the rest of a secret that was cut in two would not be found. */
function tail(text: string): string {
  return text.length <= TAIL ? text : text.slice(-TAIL).replace(/^\S+/, '');
}
