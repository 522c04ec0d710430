import { visible, visibleJsonText } from '../agent/values/visible';

/** Replaces a line feed that would start a forged line. */
const LINE_FEED = '‹U+000A›';

/**
 * Lines for people, on standard output. Each stays one line, nothing in it is hidden, and it cannot control the
 * terminal.
 */
export function say(...lines: readonly string[]): void {
  process.stdout.write(textOf(lines));
}

/** Lines for people, on standard error. */
export function warn(...lines: readonly string[]): void {
  process.stderr.write(textOf(lines));
}

/** Milliseconds between two lines of progress where no terminal replaces the last one. */
const PROGRESS_PAUSE = 10_000;

/** A line on standard error that says how far a command is: on a terminal each line replaces the last one. */
export function progress(): { show(line: string): void; clear(): void } {
  const isLive = process.stderr.isTTY === true;
  let last = Date.now();
  let isShown = false;
  return {
    show(line) {
      if (isLive) process.stderr.write(`${ERASE}${visible(line)}`);
      else if (Date.now() - last >= PROGRESS_PAUSE) warn(line);
      else return;
      last = Date.now();
      isShown = true;
    },
    clear() {
      if (isLive && isShown) process.stderr.write(ERASE);
      isShown = false;
    },
  };
}

/** Erases the line of the cursor. */
const ERASE = '\r\u001b[2K';

/** Output for programs: unchanged, unless a person reads it. JSON means the same either way. */
export function give(text: string, form: 'text' | 'json' = 'text'): void {
  process.stdout.write(!isTerminal() ? text : form === 'json' ? visibleJsonText(text) : visible(text));
}

/** Keeps what others print, such as modules of agents while they load, off standard output. */
export async function withoutOutput<T>(work: () => Promise<T>): Promise<T> {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  try {
    return await work();
  } finally {
    process.stdout.write = write;
  }
}

/** Whether a person reads standard output. */
export function isTerminal(): boolean {
  return process.stdout.isTTY === true;
}

/** Whether a person reads standard output and standard error on one screen. */
export function isOneScreen(): boolean {
  return isTerminal() && process.stderr.isTTY === true;
}

/** Sends what other code prints meanwhile to standard error: standard output is for results. */
export async function withConsoleOnError<T>(work: () => Promise<T>): Promise<T> {
  const { log, info, debug } = console;
  console.log = console.info = console.debug = console.error;
  try {
    return await work();
  } finally {
    Object.assign(console, { log, info, debug });
  }
}

/** Columns of the terminal. */
export function terminalColumns(): number {
  return process.stdout.columns ?? 80;
}

/** A reader that stops early, such as `head`, is not a failure. */
export function allowReadersToLeave(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  // Standard error is closed: there is no reader to tell.
  process.stderr.on('error', () => undefined);
}

/** Resolves when everything printed so far is written. */
export async function flushed(): Promise<void> {
  const out = (stream: NodeJS.WriteStream) => new Promise<void>((done) => stream.write('', () => done()));
  await Promise.all([out(process.stdout), out(process.stderr)]);
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${visible(line).replaceAll('\n', LINE_FEED)}\n`).join('');
}
