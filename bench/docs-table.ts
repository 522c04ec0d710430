import { readFile, writeFile } from 'node:fs/promises';

const BEGIN = '<!-- figures -->';
const END = '<!-- /figures -->';

/**
 * Puts the rows of a table into the table between the two markers of a page. Rows of other figures stay.
 * @param order names of all figures, in the order of the rows
 */
export async function fillDocs(page: string, table: string, order: readonly string[]): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [head, rest] = text.split(BEGIN);
  const [before, tail] = rest?.split(END) ?? [];
  if (before === undefined || tail === undefined) throw new Error(`${page} has no ${BEGIN} … ${END}`);
  const [names = '', line = '', ...rows] = table.split('\n');
  const all = new Map([...before.trim().split('\n').slice(2), ...rows].map((row) => [figureOf(row), row]));
  const kept = order.flatMap((name) => all.get(name) ?? []);
  await writeFile(page, `${head}${BEGIN}\n\n${[names, line, ...kept].join('\n')}\n\n${END}${tail}`);
}

function figureOf(row: string): string {
  return row.split('|')[1]?.trim() ?? '';
}
