import { visible } from '../../agent/values/visible';
import { editArguments } from '../inbox/edit';
import { clackPrompts, loadClack, type Prompts } from '../inbox/prompts';
import { oneLine } from '../lines/fact-line';
import { type KeyOption, keysText, optionText, pickedBy } from '../terminal/key-menu';
import { parseInput } from './input';

/** What the chat's terminal does for a person who is asked. */
export interface AskingTerminal {
  /** A menu, or none, is to be drawn above the line. */
  draw(): void;
  /** It is on the screen, and keys may count soon; or it is gone. */
  menu(open: boolean): void;
  show(text: string): void;
  problem(text: string): void;
  note(text: string): void;
  /** Does something that needs the terminal for itself. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

type Open =
  | { type: 'pick'; message: string; options: readonly KeyOption[]; resolve(value: string | undefined): void }
  | { type: 'ask'; message: string; resolve(text: string | undefined): void };

/** Asks a person in the midst of a chat, on the line in which they type their messages: what decides nothing stays a message. */
export class ChatAsk implements Prompts {
  #open: Open | undefined;

  constructor(
    private readonly terminal: AskingTerminal,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.leave());
  }

  /** The rows of the menu; none where nothing is asked. */
  get rows(): string[] {
    const open = this.#open;
    if (open === undefined) return [];
    const message = oneLine(visible(open.message));
    if (open.type === 'ask') return [message];
    return [message, ...open.options.map(optionText), `${keysText(open.options)} Any other text is a message.`];
  }

  /** Whether a line was for the menu. Commands are commands, whatever is asked. */
  takes(line: string, pressed: string | undefined): boolean {
    const open = this.#open;
    if (open === undefined) return false;
    const input = parseInput(line);
    if (input.type === 'command' || input.type === 'problem') return false;
    if (open.type === 'ask') {
      this.#close(input.type === 'message' ? input.text : '');
      return true;
    }
    const picked = pickedBy(open.options, line, pressed);
    if (picked.type === 'picked') this.#close(picked.value);
    if (picked.type === 'nothing') this.terminal.note(picked.hint);
    return picked.type !== 'text';
  }

  /** The person, or somebody who was quicker, leaves it. True where something was asked. */
  leave(): boolean {
    const asked = this.#open !== undefined;
    this.#close(undefined);
    return asked;
  }

  show(text: string, title: string): void {
    this.terminal.show(`${title}\n${text}`);
  }

  /** What was decided follows as a fact. */
  say(kind: 'done' | 'problem', line: string): void {
    if (kind === 'problem') this.terminal.problem(line);
  }

  pick<Value extends string>(message: string, options: readonly KeyOption<Value>[]): Promise<Value | undefined> {
    return this.#ask((resolve) => ({ type: 'pick', message, options, resolve })) as Promise<Value | undefined>;
  }

  ask(message: string, placeholder: string): Promise<string | undefined> {
    const how = [placeholder, 'Ctrl-C for later'].filter((text) => text !== '').join(', ');
    return this.#ask((resolve) => ({ type: 'ask', message: `${message} (${how})`, resolve }));
  }

  async askLines(message: string, initial: string): Promise<string | undefined> {
    const { signal } = this;
    return this.terminal.alone(async () => clackPrompts(await loadClack(), { signal }).askLines(message, initial));
  }

  /** Arguments are edited in an editor, which needs the terminal for itself. */
  edit(input: Parameters<typeof editArguments>[0]): ReturnType<typeof editArguments> {
    const { signal } = this;
    return this.terminal.alone(async () =>
      editArguments(input, { prompts: clackPrompts(await loadClack(), { signal }) }),
    );
  }

  #ask(open: (resolve: (text: string | undefined) => void) => Open): Promise<string | undefined> {
    if (this.signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#open = open(resolve);
      this.terminal.draw();
      this.terminal.menu(true);
    });
  }

  #close(text: string | undefined): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    this.terminal.menu(false);
    this.terminal.draw();
    open.resolve(text);
  }
}
