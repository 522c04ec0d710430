import { createInterface, type Interface } from 'node:readline';
import { LoneKey } from '../../terminal/lone-key';
import type { Painted } from '../../terminal/style';
import { suspend } from '../../terminal/suspend';
import { widthOf } from '../../terminal/text-width';

/** Receives what the person does at the terminal. */
export interface TerminalListener {
  /** `pressed`: the single key that was pressed just before Enter while a menu was open. */
  line(text: string, pressed: string | undefined): void;
  /** Ctrl-C. */
  interrupt(): void;
  /** Ctrl-D, or the terminal is gone. */
  end(): void;
}

const PROMPT = '›  ';
/** Milliseconds within which lines belong to one pasted message: faster than anyone types. */
const PASTE = 20;

/** A terminal with an input line, changeable rows above it, and printed rows above those. */
export class ChatTerminal {
  #readline: Interface | undefined;
  #live: readonly Painted[] = [];
  /** Number of rows of `#live` on the screen. */
  #drawn = 0;
  #waiting: Painted[] = [];
  #draft = '';
  #history: string[] = [];
  #pasted: string[] = [];
  #keyAt = 0;
  /** Started and ended with each menu. */
  readonly keys = new LoneKey();
  readonly #onKey = () => {
    this.#keyAt = Date.now();
  };
  readonly #onData = (chunk: Buffer) => this.keys.note(chunk.toString());
  readonly #onResize = () => this.#draw([]);

  /** The terminal of this process. It gets only painted rows, which contain no control sequences of others. */
  private readonly input = process.stdin;
  private readonly output = process.stdout;

  constructor(private readonly listener: TerminalListener) {}

  get columns(): number {
    return this.output.columns ?? 80;
  }

  /** Number of rows that fit above the input line. */
  get room(): number {
    return Math.max(2, (this.output.rows ?? 24) - 5);
  }

  /** Whether the input line is empty and no key was pressed for this number of milliseconds. */
  isQuiet(ms: number): boolean {
    const { line = '' } = this.#readline ?? {};
    return line === '' && this.#pasted.length === 0 && Date.now() - this.#keyAt >= ms;
  }

  /** Shows the input line, with the draft that was there before. */
  open(): void {
    const { input, output } = this;
    const readline = createInterface({ input, output, prompt: PROMPT, history: this.#history, historySize: 200 });
    this.#readline = readline;
    readline.on('line', (text) => this.#onLine(text));
    readline.on('SIGINT', () => {
      if (readline.line === '') return this.listener.interrupt();
      // As in a shell, the first Ctrl-C discards the line.
      readline.write(null, { ctrl: true, name: 'e' });
      readline.write(null, { ctrl: true, name: 'u' });
    });
    readline.on('SIGTSTP', () => {
      this.close();
      void suspend().then(() => this.open());
    });
    readline.on('history', (history) => {
      this.#history = [...history];
    });
    readline.on('close', () => {
      if (this.#readline === readline) this.listener.end();
    });
    input.on('keypress', this.#onKey);
    // Before readline reads the same.
    input.prependListener('data', this.#onData);
    output.on('resize', this.#onResize);
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#draw(waiting);
    readline.write(this.#draft);
    this.#draft = '';
  }

  /** Removes the input line. Rows printed in the meantime appear when it is opened again. */
  close(): void {
    const readline = this.#readline;
    if (readline === undefined) return;
    this.#draft = readline.line;
    this.#erase(readline.getCursorPos().rows);
    this.#readline = undefined;
    this.input.off('keypress', this.#onKey);
    this.input.off('data', this.#onData);
    this.output.off('resize', this.#onResize);
    readline.close();
  }

  /** Prints rows for good. */
  print(rows: readonly Painted[]): void {
    if (rows.length === 0) return;
    if (this.#readline === undefined) this.#waiting.push(...rows);
    else this.#draw(rows);
  }

  /** Prints the last rows, after the input line is gone. */
  last(rows: readonly Painted[]): void {
    this.output.write([...this.#waiting, ...rows].map((row) => `${row}\r\n`).join(''));
    this.#waiting = [];
  }

  /** Replaces the changeable rows. Rows that do not fit are cut. */
  live(rows: readonly Painted[]): void {
    const next = rows.slice(-this.room);
    if (next.length === this.#live.length && next.every((row, i) => row === this.#live[i])) return;
    this.#live = next;
    if (this.#readline !== undefined) this.#draw([]);
  }

  #onLine(text: string): void {
    const columns = this.columns;
    // The cursor is below the typed text.
    const rows = Math.floor(widthOf(PROMPT + text) / columns) + 1;
    this.#erase(rows);
    this.#draw([]);
    const { pressed } = this.keys;
    if (pressed !== undefined && this.#pasted.length === 0) {
      this.listener.line(text, pressed);
      return;
    }
    this.#pasted.push(text);
    const only = text.startsWith('/') && this.#pasted.length === 1;
    setTimeout(() => this.#flush(), only ? 0 : PASTE);
  }

  /** A pasted text may end with a line that still needs Enter. */
  #flush(): void {
    if (this.#pasted.length === 0 || (this.#readline?.line ?? '') !== '') return;
    const text = this.#pasted.join('\n');
    this.#pasted = [];
    this.listener.line(text, undefined);
  }

  /** Clears from the first changeable row on. The cursor is `below` rows under the last of them. */
  #erase(below: number): void {
    const up = this.#drawn + below;
    this.output.write(`${up > 0 ? `\x1b[${up}A` : ''}\r\x1b[J`);
    this.#drawn = 0;
  }

  #draw(rows: readonly Painted[]): void {
    const readline = this.#readline;
    if (readline === undefined) return;
    this.output.cork();
    this.#erase(readline.getCursorPos().rows);
    this.output.write([...rows, ...this.#live].map((row) => `${row}\r\n`).join(''));
    this.#drawn = this.#live.length;
    // readline assumes its last position, and would clear rows above it.
    (readline as { prevRows?: number }).prevRows = 0;
    readline.prompt(true);
    this.output.uncork();
  }
}
