import type { Readable, Writable } from 'node:stream';
import { ReadStream } from 'node:tty';
import { visible } from '../../agent/values/visible';
import { oneLine } from '../lines/facts/fact-line';
import { type KeyOption, keysText, optionText, pickedBy } from '../terminal/key-menu';
import { LoneKey } from '../terminal/lone-key';
import { askThroughSuspension } from '../terminal/suspend';

/** How a person is asked. `undefined` means Ctrl-C or Escape. */
export interface Prompts {
  show(text: string, title: string): void;
  say(kind: 'done' | 'problem', line: string): void;
  /** A decision. Only one of the keys, pressed by itself and confirmed with Enter, makes it. */
  pick<Value extends string>(message: string, options: readonly KeyOption<Value>[]): Promise<Value | undefined>;
  /** A line, which may be empty. */
  ask(message: string, placeholder: string): Promise<string | undefined>;
  /** Several lines, starting from an initial text. */
  askLines(message: string, initial: string): Promise<string | undefined>;
}

/** What the inbox needs in addition. */
export interface ListPrompts extends Prompts {
  begin(title: string): void;
  end(line: string): void;
  /** A choice of what to look at. It decides nothing. */
  choose(message: string, options: { value: string; label: string; hint?: string }[]): Promise<string | undefined>;
}

/** Maximum characters of a one-line text, such as an error. */
const ROW = 700;

/** It is an ES module. */
export const loadClack = () => import('@clack/prompts');

type Clack = Awaited<ReturnType<typeof loadClack>>;

interface Streams {
  input?: Readable;
  output?: Writable;
  signal?: AbortSignal;
}

/** Prompts on a terminal. */
export function clackPrompts(clack: Clack, streams: Streams = {}): ListPrompts {
  const { intro, outro, note, log, select, text, multiline, isCancel } = clack;
  const given = async <T>(prompt: (streams: Streams) => Promise<T>) => {
    const answer = await askThroughSuspension(streams.signal, (signal) => prompt({ ...streams, signal }));
    return isCancel(answer) ? undefined : (answer as Exclude<T, symbol>);
  };
  return {
    begin: (title) => intro(row(title), streams),
    end: (line) => outro(row(line), streams),
    // Not dimmed: it has to be read.
    show: (body, title) => note(visible(body), row(title), { ...streams, format: (line) => line }),
    say: (kind, line) => (kind === 'done' ? log.success : log.error)(row(line), streams),
    choose: async (message, options) => {
      const shown = options.map(({ value, label, hint }) => ({
        value,
        label: row(label),
        ...(hint === undefined ? {} : { hint: row(hint) }),
      }));
      return given((until) => select<string>({ message: row(message), options: shown, ...until }));
    },
    pick: (message, options) => pick(clack, streams, message, options),
    ask: (message, placeholder) =>
      given((until) => text({ message: row(message), placeholder: row(placeholder), defaultValue: '', ...until })),
    askLines: (message, initialValue) =>
      given((until) =>
        multiline({ message: row(message), initialValue: visible(initialValue), showSubmit: true, ...until }),
      ),
  };
}

/** One row: the text must not be able to imitate another one. */
function row(text: string): string {
  return oneLine(visible(text), ROW);
}

/** Asks until a key decides. A select is not safe: it starts with a marked choice, and letters act as arrow keys. */
async function pick<Value extends string>(
  { text, log, isCancel }: Clack,
  streams: Streams,
  message: string,
  options: readonly KeyOption<Value>[],
): Promise<Value | undefined> {
  const { input = process.stdin } = streams;
  const keys = new LoneKey();
  const onData = (chunk: Buffer | string) => keys.note(chunk.toString());
  const title = [row(message), ...options.map(optionText), keysText(options)].join('\n');
  try {
    for (;;) {
      const line = await askThroughSuspension(streams.signal, (signal) => {
        const asked = text({ message: title, ...streams, signal });
        keys.begin();
        // Registered before the listener of the prompt, which ends inside its own listener.
        input.prependListener('data', onData);
        return asked.finally(() => input.off('data', onData));
      });
      if (isCancel(line)) return undefined;
      const picked = pickedBy(options, line ?? '', keys.pressed);
      if (picked.type === 'picked') return picked.value;
      // A line typed before the next prompt would arrive with a line feed, which that prompt does not take for Enter.
      if (input instanceof ReadStream) input.setRawMode(true);
      log.warn(picked.type === 'nothing' ? picked.hint : `A text decides nothing. ${keysText(options)}`, streams);
    }
  } finally {
    input.off('data', onData);
    keys.end();
  }
}
