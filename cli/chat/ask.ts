import { visible } from '../../agent/values/visible';
import { editArguments } from '../inbox/edit';
import { clackPrompts, loadClack, type Prompts } from '../inbox/prompts';
import { oneLine } from '../lines/facts/fact-line';
import { type KeyOption, keysText, optionText, pickedBy } from '../terminal/key-menu';
import { parseInput } from './input';

/** What the chat's terminal does while a person is asked. */
export interface AskingTerminal {
  /** Draws the menu above the line, or removes it. */
  draw(): void;
  /** Called when the menu appears on the screen, so that keys can count soon, and when it is gone. */
  menu(open: boolean): void;
  show(text: string): void;
  problem(text: string): void;
  note(text: string): void;
  /** Runs `work` with exclusive use of the terminal. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

type Open =
  | { type: 'pick'; message: string; options: readonly KeyOption[]; resolve(value: string | undefined): void }
  | { type: 'ask'; message: string; resolve(text: string | undefined): void };

/** Asks a person during a chat, on the line where they type messages. Text that decides nothing stays a message. */
export class ChatAsk implements Prompts {
  #open: Open | undefined;

  constructor(
    private readonly terminal: AskingTerminal,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.leave());
  }

  /** The rows of the menu. Empty while nothing is asked. */
  get rows(): string[] {
    const open = this.#open;
    if (open === undefined) return [];
    const message = oneLine(visible(open.message));
    if (open.type === 'ask') return [message];
    return [message, ...open.options.map(optionText), `${keysText(open.options)} Any other text is a message.`];
  }

  /** Whether the menu takes the line. Commands stay commands while a menu is open. */
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

  /** Closes the menu: the person left it, or another client was quicker. True if a menu was open. */
  leave(): boolean {
    const asked = this.#open !== undefined;
    this.#close(undefined);
    return asked;
  }

  show(text: string, title: string): void {
    this.terminal.show(`${title}\n${text}`);
  }

  /** Shows problems only: a fact reports the decision. */
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

  /** Opens the arguments in an editor, which needs exclusive use of the terminal. */
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
