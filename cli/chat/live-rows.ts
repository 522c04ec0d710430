import type { ChatStyle, Painted } from '../terminal/style';
import type { ChatFollow } from './follow';
import { type ChatLine, chatLine } from './line';
import { seconds } from './stream';
import type { ChatTerminal } from './terminal';

const SPINNER = ['◒', '◐', '◓', '◑'];

/** Prints rows for good, and below them the changing rows: the answer so far, the open question, the current work. */
export class LiveRows {
  #frame = 0;

  constructor(
    private readonly follow: ChatFollow,
    private readonly terminal: ChatTerminal,
    private readonly style: ChatStyle,
    /** Rows of the open question. Empty if there is none. */
    private readonly menu: () => readonly string[],
  ) {}

  show(lines: readonly ChatLine[]): void {
    const { columns } = this.terminal;
    this.terminal.print(lines.flatMap((line) => this.style.rows(line, columns)));
    this.draw();
  }

  /** Draws the answer so far and the work in progress. Rows that do not fit are printed for good. */
  draw(): void {
    const { stream } = this.follow.lines;
    const { columns, room } = this.terminal;
    const { live } = stream;
    const below = this.#below(columns);
    let rows: Painted[] = [];
    if (live !== undefined) {
      const all = this.style.preview(live, columns);
      const over = live.tone === 'text' ? all.length - Math.max(1, room - below.length) : 0;
      if (over > 0) {
        this.style.rows(live, columns);
        this.terminal.print(all.slice(0, over).map(({ text }) => text));
        stream.take(all[over - 1]?.end ?? 0);
      }
      rows = all.slice(Math.max(0, over)).map(({ text }) => text);
    }
    this.terminal.live([...rows, ...below]);
  }

  /** The open question, or else the work in progress. */
  #below(columns: number): Painted[] {
    const menu = this.menu();
    if (menu.length > 0) {
      return this.style.preview(chatLine('asks', menu.join('\n')), columns).map(({ text }) => text);
    }
    const status = this.#status();
    return ['', ...(status === '' ? [] : [status])].map((row) => this.style.status(row, columns));
  }

  #status(): string {
    const { lines, sending, waits } = this.follow;
    const sign = SPINNER[this.#frame % SPINNER.length];
    if (lines.busy === undefined) return sending === undefined ? '' : `${sign} sending${slow(Date.now() - sending)}`;
    const time = seconds(Date.now() - lines.busy.since);
    const calls = [...lines.calls.values()];
    if (waits.all.length > 0) return 'it waits for you: /waiting';
    const what = calls.length === 0 ? 'answering' : `${calls.join(', ')}${lines.progress ? ` ${lines.progress}` : ''}`;
    return `${sign} ${what} · ${time} · Ctrl-C stops it`;
  }

  /** Turns the spinner while work is in progress. */
  tick(): void {
    this.#frame += 1;
    if (this.follow.lines.busy !== undefined || this.follow.sending !== undefined) this.draw();
  }
}

/** A note for a slow send: an available worker accepts a message at once. */
function slow(ms: number): string {
  return ms < 3000 ? '' : ` · ${seconds(ms)} · no worker has taken it yet`;
}
