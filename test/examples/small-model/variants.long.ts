import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentTestEnvironment, createAgentTestEnvironment, type ModelServer, serveModel } from 'holdfast/testing';
import { freshFolder } from '../../../examples/screenshots/folder';
import { play as model } from '../../../examples/small-model/model';
import { type Place, play } from '../../../examples/small-model/play';
import { VARIANTS, type Variant } from '../../../examples/small-model/variants';
import { loadConfig } from '../../../runtime/config/config';
import { ROOT } from '../../sources';

const EXAMPLE = join(ROOT, 'examples/small-model');
const README = readFileSync(join(EXAMPLE, 'README.md'), 'utf8');

let place: Place;
let server: ModelServer;
let kit: AgentTestEnvironment;
beforeAll(async () => {
  server = await serveModel(model);
  const down = await serveModel(model);
  await down.close();
  const folder = await freshFolder();
  place = { folder, calls: `${folder}.jsonl` };
  const env = { MODEL_URL: server.url, DOWN_URL: down.url, SCREENSHOTS_FOLDER: folder, CALLS_FILE: place.calls };
  const { models, mcp } = await loadConfig({ path: join(EXAMPLE, 'temporal.yaml'), env });
  const cwd = EXAMPLE;
  const servers = Object.fromEntries(Object.entries(mcp).map(([alias, one]) => [alias, { ...one, cwd }]));
  kit = await createAgentTestEnvironment({ agents: VARIANTS.map(({ agent }) => agent), models, mcp: servers });
});
afterAll(async () => {
  await kit.close();
  await server.close();
  await rm(place.folder, { recursive: true });
  await rm(place.calls, { force: true });
});

async function played(variant: Variant) {
  const lines: string[] = [];
  const { run, problems } = await play(kit.client, place, variant, (line) => lines.push(`${line}\n`));
  return { run, problems, said: lines.join('') };
}

test.each(VARIANTS)('$title: it ends as it should, as the README shows', async (variant) => {
  const { run, problems, said } = await played(variant);
  expect(problems).toEqual([]);
  expect(README).toContain(said);
  await kit.replay(run);
});

test('a run that ends differently is told', async () => {
  const dead = VARIANTS.find(({ agent }) => agent.name === 'desktop.all-dead') as Variant;
  const { problems, said } = await played({ ...dead, renamed: 1, acts: [], answer: 'Done.' });
  expect(problems).toEqual([
    'facts: expected [], got ["model.switched","model.fallback"]',
    `answer: expected "Done.", got ${JSON.stringify(dead.answer)}`,
    'renames: expected 1, got 0',
    'files with old names: expected 6, got 7',
  ]);
  expect(said).toContain(`  ✗ ${problems[0]}\n`);
});
