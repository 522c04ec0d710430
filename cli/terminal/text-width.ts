const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const ASCII = /^[ -~]*$/;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
/** Characters that terminals draw over two columns: emoji and East Asian scripts. */
const WIDE =
  /\p{Emoji_Presentation}|\u{fe0f}|[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{a960}-\u{a97c}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]/u;

/** Code units that are segmented at once: the time of each step grows with the length of the whole text. */
const CHUNK = 256;

/** The characters as a reader sees them, with their positions in the text. */
function* graphemes(text: string): Generator<{ segment: string; index: number }> {
  for (let from = 0; from < text.length; ) {
    // Half a surrogate pair would hide that the character before it continues.
    const half = /^[\ud800-\udbff]$/.test(text.charAt(from + CHUNK - 1)) ? 1 : 0;
    const chunk = text.slice(from, from + CHUNK + half);
    const found = [...GRAPHEMES.segment(chunk)];
    // The last one may continue after the chunk. One that fills the whole chunk is not readable text.
    const isLast = from + chunk.length === text.length;
    if (!isLast && found.length > 1) found.pop();
    for (const { segment, index } of found) yield { segment, index: from + index };
    const end = found.at(-1);
    from += end === undefined ? chunk.length : end.index + end.segment.length;
  }
}

/** The number of terminal columns of a text without control characters. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes(text)) width += columnsOf(segment);
  return width;
}

/** A row of a terminal, and the position in the text where the next one begins. */
export interface Row {
  text: string;
  end: number;
}

/** Breaks a text at spaces, or inside a word that is too long. Only the last row can change when text is added. */
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
  for (const { segment, index } of graphemes(line)) {
    const columns = columnsOf(segment);
    if (used + columns > width) {
      if (segment === ' ') {
        // The break replaces the space.
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
