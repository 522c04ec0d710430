import { barText, type Figure, keeps, type Row } from './figure';
import { short } from './pairs';

const HEADS = ['figure', 'ours', 'bare', 'ratio', 'must be', '', 'note'];

/** The rows of the table. A figure that misses its bar is marked. */
export function tableRows(rows: readonly Row[], figures: readonly Figure[]): string[][] {
  return rows.map((row) => {
    const bar = figures.find(({ name }) => name === row.name)?.bar;
    const kept = keeps(bar, row);
    return [
      row.name,
      row.value === null ? 'not available' : `${short(row.value)} ${row.unit}`.trim(),
      row.bare === null ? '' : `${short(row.bare)} ${row.unit}`.trim(),
      row.ratio === null ? '' : row.ratio.toFixed(2),
      barText(bar),
      kept === undefined ? '' : kept ? 'ok' : 'MISSES',
      row.note,
    ];
  });
}

/** For a terminal. */
export function plainTable(rows: readonly Row[], figures: readonly Figure[]): string {
  const lines = [HEADS, ...tableRows(rows, figures)];
  const widths = HEADS.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** For docs/internals/benchmarks.md. */
export function markdownTable(rows: readonly Row[], figures: readonly Figure[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(HEADS), line(HEADS.map(() => '---')), ...tableRows(rows, figures).map(line)].join('\n');
}
