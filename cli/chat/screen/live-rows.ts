import type { ChatStyle, Painted } from '../../terminal/style';
import type { ChatFollow } from '../follow';
import { type ChatLine, chatLine } from '../line';
import type { ChatTerminal } from './terminal';
import { workOf } from './work';

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
    const { lines, sending, waits, problem } = this.follow;
    const work = workOf({ lines, sending, waiting: waits.all.length, problem }, Date.now());
    if (work === undefined) return [this.style.status('', columns)];
    const sign = SPINNER[this.#frame % SPINNER.length];
    const what = work.alone ? work.what : `${sign} ${work.what}`;
    return [this.style.status('', columns), this.style.status(what, columns, work.more)];
  }

  /** Turns the spinner while work is in progress. */
  tick(): void {
    this.#frame += 1;
    if (this.follow.lines.busy !== undefined || this.follow.sending !== undefined) this.draw();
  }
}
