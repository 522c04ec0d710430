import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { createWorker } from 'holdfast/worker';
import { z } from 'zod';
import { loadConfig } from '../../runtime/config/config';
import { PayloadDriver } from '../../runtime/storage/payload-driver';
import { unavailable } from '../../runtime/storage/refusal';
import { until } from '../until';
import { noise, Place } from './place';

const place = new Place();
const folder = join(place.dir, 'payloads');
const away = () => renameSync(folder, `${folder}-away`);
const back = () => renameSync(`${folder}-away`, folder);

const paid: string[] = [];
let large = '';
const clerk = defineAgent({
  name: 'storage.clerk',
  tools: {
    pay: defineTool({
      description: 'Pays',
      inputSchema: z.object({ note: z.string() }),
      execute: ({ note }) => void paid.push(note),
    }),
    read: defineTool({ description: 'Reads', inputSchema: z.object({}), execute: () => large }),
    leave: defineTool({
      description: 'Takes the storage away',
      inputSchema: z.object({}),
      execute: () => {
        away();
        return large;
      },
    }),
  },
});

const desk = defineAgent({ name: 'storage.outage', mode: 'conversation' });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  const storage = { folder, threshold: 20_000 };
  kit = await createAgentTestEnvironment({ agents: [clerk, desk], server: 'dev', storage, maxCachedWorkflows: 0 });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  paid.length = 0;
});

/** The types of the activities of a run that failed, and of their failures. */
async function failures(run: { id: string }): Promise<(string | null | undefined)[]> {
  const { events } = await kit.history(run);
  return (events ?? []).flatMap(({ activityTaskFailedEventAttributes: failed }) =>
    failed ? [failed.failure?.applicationFailureInfo?.type] : [],
  );
}

it('a result that cannot be stored goes into the history, and the run goes on', async () => {
  large = 'a line\n'.repeat(60_000);
  kit.model.script(call('leave', {}), text('done'));
  const run = await kit.start(clerk, { input: 'go' });
  expect((await run.result()).data).toBe('done');
  expect(JSON.stringify(await run.toolResult('t1.1'))).toContain('a line');
  back();
  await kit.replay(run);
});

it('a run whose history cannot be read waits for its storage, and loses nothing', async () => {
  const talk = kit.conversation(desk, { id: 'waits' });
  const said = noise(60_000);
  kit.model.script(text('noted'), text('still here'));
  await talk.answerTo(await talk.send(said));
  // The new worker remembers no object.
  await kit.stopWorker();
  await kit.startWorker();
  away();
  const sending = talk.send('and?');
  await until(async () => {
    const { events } = await kit.history(talk);
    return events?.some((event) => event.workflowTaskFailedEventAttributes) === true;
  }, 'a workflow task that cannot read its history');
  back();
  expect((await talk.answerTo(await sending)).data).toBe('still here');
  expect(JSON.stringify(await talk.transcript())).toContain(said);
  await talk.close();
  await talk.result();
  await kit.replay(talk);
});

it('a call whose arguments cannot be read is made later, and once', async () => {
  const retrieve = PayloadDriver.prototype.retrieve;
  let failed = 0;
  // As while the folder is away. Only an activity reads the input of a call.
  jest.spyOn(PayloadDriver.prototype, 'retrieve').mockImplementation(async function (this: PayloadDriver, ...args) {
    const read = await retrieve.apply(this, args);
    const isInput = read.some(({ data }) => Buffer.from(data ?? []).includes('"idempotencyKey"'));
    if (isInput && failed++ < 2) throw unavailable('worker', 'read', { where: 'the folder', problem: 'away' });
    return read;
  });
  const note = noise(60_000);
  kit.model.script(call('pay', { note }), text('done'));
  const run = await kit.start(clerk, { input: 'go' });
  expect((await run.result()).data).toBe('done');
  jest.restoreAllMocks();
  expect(paid).toEqual([note]);
  expect(await failures(run)).toEqual(['StorageUnavailable', 'StorageUnavailable']);
  await kit.replay(run);
});

it('a worker does not start with a storage that cannot be used', async () => {
  const config = await loadConfig({ cwd: '/', env: {} });
  // Below a file there is no folder.
  const file = join(place.dir, 'a-file');
  writeFileSync(file, '');
  const storage = { folder: join(file, 'payloads') };
  const models = { default: { baseUrl: 'http://localhost:1', model: 'none' } };
  await expect(createWorker({ agents: [desk], models, config: { ...config, storage } })).rejects.toMatchObject({
    type: 'StorageUnavailable',
    data: { where: `the folder \`${storage.folder}\`` },
    message: expect.stringContaining('Check `storage` in temporal.yaml'),
  });
});
