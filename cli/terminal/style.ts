import { type ChatLine, shown, type Tone } from '../chat/line';
import { linesOf } from '../lines/facts/fact-line';
import { type Row, widthOf, wrap } from './text-width';

/** A row that may go to the terminal: its only control characters are the colours that this file adds. */
export type Painted = string & { readonly [painted]: true };
declare const painted: unique symbol;

export interface PaintedRow extends Row {
  text: Painted;
}

type Style = (text: string) => string;

const sgr =
  (on: string): Style =>
  (text) =>
    text === '' ? '' : `\x1b[${on}m${text}\x1b[0m`;
const plain: Style = (text) => text;

const dim = sgr('2');
const GUIDE = '│';
/** Columns of the guide. */
const MARGIN = 3;
/** Columns that a status needs at least. */
const LEAST = 30;

interface Look {
  /** Lines of one group have no space between them, others do. */
  group: number;
  mark: string;
  paint: Style;
  text: Style;
}

const LOOKS: { readonly [T in Tone]: Look } = {
  you: { group: 1, mark: '●', paint: sgr('36'), text: plain },
  other: { group: 1, mark: '●', paint: sgr('35'), text: plain },
  text: { group: 2, mark: '◆', paint: sgr('32'), text: plain },
  withdrawn: { group: 2, mark: GUIDE, paint: dim, text: sgr('2;9') },
  thinks: { group: 3, mark: GUIDE, paint: dim, text: sgr('2;3') },
  call: { group: 3, mark: '◇', paint: sgr('34'), text: plain },
  result: { group: 3, mark: GUIDE, paint: dim, text: dim },
  error: { group: 3, mark: '■', paint: sgr('31'), text: sgr('31') },
  note: { group: 3, mark: GUIDE, paint: dim, text: dim },
  asks: { group: 4, mark: '▲', paint: sgr('33'), text: plain },
  warning: { group: 5, mark: '▲', paint: sgr('33'), text: sgr('33') },
  usage: { group: 5, mark: GUIDE, paint: dim, text: dim },
};

/** Messages, answers and questions: each is set apart. */
const ALONE: ReadonlySet<number> = new Set([1, 2, 4]);

/** Lines of a chat as rows of a terminal. */
export class ChatStyle {
  #last: Tone | undefined;

  constructor(private readonly colour: boolean) {}

  /** The rows of a line, with a gap before them if the previous line requires it. */
  rows(line: ChatLine, width: number): Painted[] {
    const rows = this.preview(line, width).map(({ text }) => text);
    this.#last = line.tone;
    return rows;
  }

  /** The same without recording the line, for rows that may still change. */
  preview({ tone, text, more }: ChatLine, width: number): PaintedRow[] {
    const look = LOOKS[tone];
    const apart = more !== true && this.#last !== undefined && this.#apart(tone);
    const rows = wrap(shown(text), width - MARGIN - 1).map(({ text: row, end }, i) => {
      const guide = i === 0 && more !== true ? look.paint(look.mark) : dim(GUIDE);
      return { text: this.#finished(`${guide}  ${look.text(row)}`), end };
    });
    return apart ? [{ text: this.#finished(dim(GUIDE)), end: 0 }, ...rows] : rows;
  }

  /**
   * One status row under the guide. It is always a single row, since rows that are drawn again are counted. A text that is
   * too long is cut before `more`, which is left out where it leaves no room.
   */
  status(text: string, width: number, more = ''): Painted {
    const room = width - MARGIN - 1;
    const left = room - widthOf(more);
    const row = left < LEAST ? oneRow(text, room) : `${oneRow(text, left)}${more}`;
    return this.#finished(`${dim(GUIDE)}  ${dim(row)}`);
  }

  begin(text: string): Painted {
    this.#last = 'usage';
    return this.#finished(`${dim('┌')}  ${shownRow(text)}`);
  }

  end(text: string): Painted {
    return this.#finished(`${dim('└')}  ${shownRow(text)}`);
  }

  #apart(tone: Tone): boolean {
    const last = LOOKS[this.#last as Tone];
    // The cost belongs to the answer above.
    if (tone === 'usage') return false;
    return last.group !== LOOKS[tone].group || ALONE.has(last.group);
  }

  #finished(row: string): Painted {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what this file writes
    return (this.colour ? row.trimEnd() : row.replace(/\x1b\[[\d;]*m/g, '').trimEnd()) as Painted;
  }
}

const SIGNS: Partial<Record<Tone, string>> = { call: '→ ', result: '← ', error: '! ', warning: '! ', asks: '? ' };

/** Lines for output without columns, such as a log. */
export function plainLines({ tone, text }: ChatLine): string[] {
  return linesOf(`${SIGNS[tone] ?? '  '}${text}`);
}

function shownRow(text: string): string {
  return shown(text).replace(/\s+/g, ' ');
}

function oneRow(text: string, width: number): string {
  // Long runs of characters without width are rare, so text past this point never fits the row.
  const row = shownRow(text.slice(0, 20 * width));
  return widthOf(row) <= width ? row : `${wrap(row, width - 1)[0]?.text ?? ''}…`;
}
