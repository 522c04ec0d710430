import { readFile, writeFile } from 'node:fs/promises';

const BEGIN = '<!-- figures -->';
const END = '<!-- /figures -->';

/** Puts `table` between the two markers of a page. */
export async function fillDocs(page: string, table: string): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [head, rest] = text.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (tail === undefined) throw new Error(`${page} has no ${BEGIN} … ${END}`);
  await writeFile(page, `${head}${BEGIN}\n\n${table}\n\n${END}${tail}`);
}
