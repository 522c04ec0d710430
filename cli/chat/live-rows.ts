import type { ChatStyle, Painted } from '../terminal/style';
import type { ChatFollow } from './follow';
import { type ChatLine, chatLine } from './line';
import { seconds } from './stream';
import type { ChatTerminal } from './terminal';

const SPINNER = ['◒', '◐', '◓', '◑'];

/** What a chat has printed for good, and below it the rows that change: what is said so far, what is asked, what is being done. */
export class LiveRows {
  #frame = 0;

  constructor(
    private readonly follow: ChatFollow,
    private readonly terminal: ChatTerminal,
    private readonly style: ChatStyle,
    /** Rows of what is asked; none where nothing is. */
    private readonly menu: () => readonly string[],
  ) {}

  show(lines: readonly ChatLine[]): void {
    const { columns } = this.terminal;
    this.terminal.print(lines.flatMap((line) => this.style.rows(line, columns)));
    this.draw();
  }

  /** What is said so far, and what is being done. Rows that there is no room for are printed for good. */
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

  /** What is asked, or else what is being done. */
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

  /** The spinner turns while something is being done. */
  tick(): void {
    this.#frame += 1;
    if (this.follow.lines.busy !== undefined || this.follow.sending !== undefined) this.draw();
  }
}

/** A worker that is there takes a message at once. */
function slow(ms: number): string {
  return ms < 3000 ? '' : ` · ${seconds(ms)} · no worker has taken it yet`;
}
