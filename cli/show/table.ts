import { visibleName } from '../../agent/values/visible';

/** Rows with aligned columns. The last cell of a row is not padded. A cell is always one line. */
export function columns(rows: readonly (readonly string[])[], gap = '  '): string[] {
  const widths: number[] = [];
  const shown = rows.map((row) => row.map(visibleName));
  for (const row of shown) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  return shown.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

/** Columns that a terminal usually has. */
const WIDTH = 120;

/** A heading and rows. A last cell that does not fit goes on a separate line. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [heading, ...rows].map((row) => row.map(visibleName));
  return columns(all).flatMap((line, i) => {
    const last = all[i]?.at(-1) ?? '';
    if (line.length <= WIDTH || last === '') return [line];
    const start = line.slice(0, -last.length).trimEnd();
    return i === 0 ? [start] : [start, `    ${last}`];
  });
}

/** Milliseconds as a person would say them. */
export function spoken(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 120_000) return `${ms / 1000} s`;
  if (ms < 7_200_000) return `${round(ms / 60_000)} min`;
  return ms < 172_800_000 ? `${round(ms / 3_600_000)} h` : `${round(ms / 86_400_000)} d`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
