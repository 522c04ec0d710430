import type { ChildProcess } from 'node:child_process';

const TAIL = 2048;
const LINE = 300;

/** What a server printed and how it ended: the material of error messages, since the protocol itself says neither. */
export class ServerOutput {
  #child: ChildProcess | undefined;
  #stderr = '';
  #partial = '';
  #stdout = '';

  constructor(private readonly onLine: (line: string) => void) {}

  /** Takes the process once it runs, for its exit code. */
  watch(child: ChildProcess): void {
    this.#child = child;
  }

  stderr(chunk: string): void {
    this.#stderr = (this.#stderr + chunk).slice(-TAIL);
    const lines = (this.#partial + chunk).split('\n');
    this.#partial = (lines.pop() ?? '').slice(-TAIL);
    for (const line of lines) if (line.trim() !== '') this.onLine(line.trimEnd());
  }

  /** The beginning is enough to see that somebody prints there what is no message. */
  stdout(chunk: string): void {
    if (this.#stdout.length < TAIL) this.#stdout = (this.#stdout + chunk).slice(0, TAIL);
  }

  /** How the process ended; `undefined` while it runs. */
  end(): string | undefined {
    const { exitCode, signalCode } = this.#child ?? {};
    if (typeof exitCode !== 'number' && typeof signalCode !== 'string') return undefined;
    return typeof exitCode === 'number' ? `exited with code ${exitCode}` : `was ended by ${signalCode}`;
  }

  /** What it said last, to be put behind a problem. */
  complaint(): string {
    const said = [lastComplaint(this.#stderr), garbage(this.#stdout)].filter((text) => text !== undefined);
    return said.length === 0 ? '' : `: ${said.join('; ')}`;
  }
}

/** Stack frames and the fields of an error are indented, and Node ends a crash with its version: none of them says why. */
function lastComplaint(stderr: string): string | undefined {
  const lines = stderr.split('\n').filter((line) => /^[^\s{}[\]]/.test(line) && !line.startsWith('Node.js v'));
  return lines.at(-1)?.trimEnd().slice(0, LINE);
}

function garbage(stdout: string): string | undefined {
  const line = stdout.split('\n').find((text) => text.trim() !== '' && !text.startsWith('{'));
  return line === undefined
    ? undefined
    : `its standard output holds no MCP messages but \`${line.trim().slice(0, LINE)}\``;
}
