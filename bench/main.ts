import { readFile, writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { buildBareBundle } from './bare/bundle';
import { fillDocs } from './docs-table';
import { type Figure, keeps, type Row } from './figure';
import { FIGURES } from './figures';
import { markdownTable, plainTable } from './table';

interface Options {
  only?: string[];
  pairs: number;
  json?: string;
  from?: string;
  docs?: boolean;
  quick?: boolean;
  strict?: boolean;
}

const program = new Command('bench')
  .description('Compares Holdfast with a bare Temporal loop. Run nothing else on the machine.')
  .option('--only <names>', 'figures, separated by commas', (names: string) => names.split(','))
  .option('--pairs <n>', 'measurements of each half', count, 5)
  .option('--json <file>', 'write the rows to this file')
  .option('--from <file>', 'use the rows of an earlier run instead of measuring')
  .option('--docs', 'put the rows into the table of docs/internals/benchmarks.md')
  .option('--quick', 'a tenth of the turns: checks that everything works, but the figures are meaningless')
  .option('--strict', 'exit with 1 if a figure misses its bar')
  .action(main);

async function main(options: Options): Promise<void> {
  const figures = chosen(options.only);
  const rows = options.from === undefined ? await measureAll(figures, options) : await readRows(options.from, figures);
  process.stdout.write(`${plainTable(rows, FIGURES)}\n`);
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(rows, null, 2)}\n`);
  if (options.docs) {
    const names = FIGURES.map(({ name }) => name);
    await fillDocs('docs/internals/benchmarks.md', markdownTable(rows, FIGURES), names);
  }
  const missed = rows.some((row) => keeps(FIGURES.find(({ name }) => name === row.name)?.bar, row) === false);
  process.exitCode = options.strict && missed ? 1 : 0;
}

async function measureAll(figures: readonly Figure[], { pairs, quick }: Options): Promise<Row[]> {
  const bundle = await buildBareBundle();
  const rows: Row[] = [];
  try {
    for (const { name, unit, what, measure } of figures) {
      const tell = (line: string) => void process.stderr.write(`${name}: ${line}\n`);
      tell(what);
      const { value, bare = null, ratio = null, note } = await measure({ pairs, scale: quick ? 0.1 : 1, bundle, tell });
      rows.push({ name, value, unit, bare, ratio, note: quick ? `QUICK, not a measurement; ${note}` : note });
    }
  } finally {
    await bundle.remove();
  }
  return rows;
}

async function readRows(file: string, figures: readonly Figure[]): Promise<Row[]> {
  const rows = JSON.parse(await readFile(file, 'utf8')) as Row[];
  return rows.filter((row) => figures.some(({ name }) => name === row.name));
}

function chosen(names: readonly string[] | undefined): readonly Figure[] {
  const unknown = names?.find((name) => !FIGURES.some((figure) => figure.name === name));
  if (unknown !== undefined) {
    const known = FIGURES.map(({ name }) => name).join(', ');
    throw new Error(`There is no figure \`${unknown}\`; there are ${known}`);
  }
  return FIGURES.filter(({ name }) => names?.includes(name) ?? true);
}

function count(text: string): number {
  const n = Number(text);
  if (!Number.isInteger(n) || n < 1) throw new InvalidArgumentError('Expected a whole number from 1.');
  return n;
}

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
