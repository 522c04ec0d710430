import type { Readable, Writable } from 'node:stream';

/** How the inbox speaks with a person; `undefined` is Ctrl-C or Escape. */
export interface Prompts {
  begin(title: string): void;
  end(line: string): void;
  show(text: string, title: string): void;
  say(kind: 'done' | 'problem', line: string): void;
  choose<Choice extends string>(
    message: string,
    options: { value: Choice; label: string; hint?: string }[],
  ): Promise<Choice | undefined>;
  /** A line, which may be empty. */
  ask(message: string, placeholder: string): Promise<string | undefined>;
  /** Several lines, beginning with those that are there. */
  askLines(message: string, initial: string): Promise<string | undefined>;
}

/** It is an ES module. */
export const loadClack = () => import('@clack/prompts');

type Clack = Awaited<ReturnType<typeof loadClack>>;

/** Prompts on a terminal. */
export function clackPrompts(
  { intro, outro, note, log, select, text, multiline, isCancel }: Clack,
  streams: { input?: Readable; output?: Writable; signal?: AbortSignal } = {},
): Prompts {
  const given = <T>(answer: T) => (isCancel(answer) ? undefined : (answer as Exclude<T, symbol>));
  return {
    begin: (title) => intro(title, streams),
    end: (line) => outro(line, streams),
    // Not dimmed: it has to be read.
    show: (body, title) => note(body, title, { ...streams, format: (line) => line }),
    say: (kind, line) => (kind === 'done' ? log.success(line, streams) : log.error(line, streams)),
    choose: async <Choice extends string>(
      message: string,
      options: { value: Choice; label: string; hint?: string }[],
    ) => given(await select<string>({ message, options, ...streams })) as Choice | undefined,
    ask: async (message, placeholder) => given(await text({ message, placeholder, defaultValue: '', ...streams })),
    askLines: async (message, initialValue) =>
      given(await multiline({ message, initialValue, showSubmit: true, ...streams })),
  };
}
