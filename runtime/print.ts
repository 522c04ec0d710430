import { visible, visibleJsonText } from '../agent/values/visible';

/** A line feed that would begin a line which nobody here has written. */
const LINE_FEED = '‹U+000A›';

/** Lines for people, on standard output. Each stays one line, nothing in it is hidden, and it steers no terminal. */
export function say(...lines: readonly string[]): void {
  process.stdout.write(textOf(lines));
}

/** Lines for people, on standard error. */
export function warn(...lines: readonly string[]): void {
  process.stderr.write(textOf(lines));
}

/** What programs read: as it is, unless it is a person who reads it. JSON means the same either way. */
export function give(text: string, form: 'text' | 'json' = 'text'): void {
  process.stdout.write(!isTerminal() ? text : form === 'json' ? visibleJsonText(text) : visible(text));
}

/** Whether it is a person who reads standard output. */
export function isTerminal(): boolean {
  return process.stdout.isTTY === true;
}

/** Columns of the terminal. */
export function terminalColumns(): number {
  return process.stdout.columns ?? 80;
}

/** A reader that has enough, as `head`, is no failure. */
export function allowReadersToLeave(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  // Nobody is left to tell.
  process.stderr.on('error', () => undefined);
}

/** Settles when all that was printed so far is out. */
export async function flushed(): Promise<void> {
  const out = (stream: NodeJS.WriteStream) => new Promise<void>((done) => stream.write('', () => done()));
  await Promise.all([out(process.stdout), out(process.stderr)]);
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${visible(line).replaceAll('\n', LINE_FEED)}\n`).join('');
}
