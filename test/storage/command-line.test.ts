import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { replay } from '../../cli/replay/replay';
import { show } from '../../cli/show/show';
import { type Project, projectOf } from '../cli/project';
import { said } from '../cli/said';
import { noise, Place } from './place';

const large = noise(400_000);
const reader = defineAgent({
  name: 'storage.shown',
  tools: {
    read: defineTool({ description: 'Reads', inputSchema: z.object({}), effect: 'read', execute: () => large }),
  },
});
const place = new Place();

let kit: AgentTestEnvironment;
let project: Project;
let without: Project;
let id: string;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [reader], server: 'dev', storage: { folder: place.dir } });
  project = projectOf(kit, `storage: {folder: '${place.dir}'}`);
  without = projectOf(kit);
  kit.model.script(call('read', {}), text('done'));
  const run = await kit.start(reader, { input: noise(400_000) });
  await run.result();
  id = run.id;
});
afterAll(async () => {
  await kit.close();
  project.remove();
  without.remove();
});

const shown = ({ config }: Project) => said(() => show(id, { config, tool: 't1.1' }));
const replayed = ({ config }: Project) => said(() => replay([id], { config }));

it('shows a result, and replays a run, from the storage of temporal.yaml', async () => {
  expect((await shown(project)).out).toContain(large);
  expect(await replayed(project)).toMatchObject({ code: 0, out: expect.stringContaining('replays') });
});

it('says which setting is missing where temporal.yaml has no storage', async () => {
  await expect(shown(without)).rejects.toMatchObject({
    type: 'StorageUnavailable',
    message: expect.stringContaining('set the storage of its writer in temporal.yaml'),
  });
  const { code, out } = await replayed(without);
  expect(code).toBe(1);
  expect(out).toContain('it is in a storage that this process does not have');
  expect(out).toContain('→ set the storage of the workers in temporal.yaml');
});
