import type { Fact } from 'holdfast';
import type { AgentClient, RunHandle } from 'holdfast/client';
import { listFolder, refill } from '../screenshots/folder';
import { type Rename, renamesIn, resetCalls } from './renames';
import { Teller } from './tell';
import { isAct, type Variant } from './variants';

/** Where the models work. */
export interface Place {
  folder: string;
  /** The file with the calls that reached the file server. */
  calls: string;
}

/** The run of a variant, and what did not go as it should. */
export interface Played {
  run: RunHandle;
  problems: string[];
}

/** Lets the agent of a variant work on fresh copies of the screenshots. Prints each step as a line. */
export async function play(
  client: AgentClient,
  { folder, calls }: Place,
  variant: Variant,
  print: (line: string) => void,
): Promise<Played> {
  await refill(folder);
  await resetCalls(calls);
  print(variant.title);
  const run = await client.start(variant.agent.name, { input: { folder } });
  const teller = new Teller(folder);
  const facts: Fact[] = [];
  for await (const fact of run.facts()) {
    facts.push(fact);
    for (const line of teller.lines(fact)) print(`  ${line}`);
  }
  const answer = await run.result().then(({ data }) => data, String);
  const renames = await renamesIn(calls);
  print(`  = ${countText(renames)}`);
  const kept = (await listFolder(folder)).filter((name) => name.startsWith('Screenshot ')).length;
  const problems = [
    ...compared(
      'facts',
      facts.filter(isAct).map(({ type }) => type),
      variant.acts,
    ),
    ...compared('answer', answer, variant.answer),
    ...compared('renames', renames.length, variant.renamed),
    ...compared('files renamed more than once', repeatedIn(renames), []),
    ...compared('files with old names', kept, 7 - variant.renamed),
  ];
  for (const problem of problems) print(`  ✗ ${problem}`);
  return { run, problems };
}

function countText(renames: readonly Rename[]): string {
  if (renames.length === 0) return 'no rename reached the file server';
  const repeated = repeatedIn(renames);
  const once = repeated.length === 0 ? 'each file once' : `more than once: ${repeated.join(', ')}`;
  return `${renames.length} renames reached the file server, ${once}`;
}

/** Files that were renamed more than once, or tried to. */
export function repeatedIn(renames: readonly Rename[]): string[] {
  const files = renames.map(({ from }) => from);
  return [...new Set(files.filter((file, i) => files.indexOf(file) !== i))];
}

function compared(what: string, found: unknown, expected: unknown): string[] {
  const [is, should] = [found, expected].map((value) => JSON.stringify(value));
  return is === should ? [] : [`${what}: expected ${should}, got ${is}`];
}
