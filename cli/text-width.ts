const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const ASCII = /^[ -~]*$/;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
/** What terminals draw over two columns: emoji, and the scripts of East Asia. */
const WIDE =
  /\p{Emoji_Presentation}|\u{fe0f}|[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{a960}-\u{a97c}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]/u;

/** Columns that a text without control characters takes on a terminal. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += columnsOf(segment);
  return width;
}

/** A row of a terminal, and where in the text the next one begins. */
export interface Row {
  text: string;
  end: number;
}

/** Breaks a text at spaces, and where there is none in the midst of a word. A row that another follows never changes. */
export function wrap(text: string, width: number): Row[] {
  let at = 0;
  return text.split('\n').flatMap((line) => {
    const rows = wrapLine(line, at, Math.max(width, 2));
    at += line.length + 1;
    return rows;
  });
}

function wrapLine(line: string, at: number, width: number): Row[] {
  const rows: Row[] = [];
  let [from, used, space] = [0, 0, 0];
  const cut = (to: number) => {
    rows.push({ text: line.slice(from, to).trimEnd(), end: at + to });
    from = to;
  };
  for (const { segment, index } of GRAPHEMES.segment(line)) {
    const columns = columnsOf(segment);
    if (used + columns > width) {
      if (segment === ' ') {
        // It vanishes in the break.
        cut(index + 1);
        used = 0;
        continue;
      }
      cut(space > from ? space : index);
      used = widthOf(line.slice(from, index));
    }
    used += columns;
    if (segment === ' ') space = index + 1;
  }
  rows.push({ text: line.slice(from), end: at + line.length + 1 });
  return rows;
}

function columnsOf(grapheme: string): number {
  if (ASCII.test(grapheme)) return grapheme.length;
  if (INVISIBLE.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}
