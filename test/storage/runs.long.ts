import { Client } from '@temporalio/client';
import { defineAgent, defineTool } from 'holdfast';
import { AgentClient, openStorage } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, Replayer, text } from 'holdfast/testing';
import { z } from 'zod';
import { move } from '../chains/move';
import { factsOf } from '../facts';
import { encrypting, noise, Place } from './place';

const large = noise(900_000);
const reader = defineAgent({
  name: 'storage.reader',
  tools: {
    read: defineTool({ description: 'Reads', inputSchema: z.object({}), effect: 'read', execute: () => large }),
  },
});
const desk = defineAgent({ name: 'storage.desk', mode: 'conversation' });
const place = new Place();
const storage = { folder: place.dir };
const temporal = { dataConverter: { payloadCodecs: [encrypting] } };

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({
    agents: [reader, desk],
    server: 'dev',
    storage,
    temporal,
    maxCachedWorkflows: 0,
  });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

async function ended() {
  kit.model.script(call('read', {}), text('done'));
  const run = await kit.start(reader, { input: 'go' });
  expect((await run.result()).data).toBe('done');
  return run;
}

it('keeps a large result out of the history, where every reader finds it', async () => {
  const run = await ended();
  const { historySize } = await kit.client.temporal.workflow.getHandle(run.id).describe();
  expect(historySize).toBeLessThan(200_000);
  expect(JSON.stringify(await run.toolResult('t1.1'))).toContain(large);
  expect((await run.transcript()).length).toBeGreaterThan(2);
  expect((await factsOf(run, 'tool.result')).length).toBe(1);
  await kit.replay(run);
});

it('encrypts what it keeps, where payloads are encrypted', async () => {
  await ended();
  const objects = place.objects();
  expect(Math.max(...objects.map(({ length }) => length))).toBeGreaterThan(900_000);
  for (const object of objects.filter(({ length }) => length > 1000)) {
    expect(object.includes(Buffer.from('binary/encrypted').toString('base64'))).toBe(true);
    expect(object.includes(large.slice(0, 100))).toBe(false);
  }
});

it('keeps what a client sends', async () => {
  const input = noise(400_000);
  kit.model.script(text('read'));
  const before = place.objects().length;
  const run = await kit.start(reader, { input });
  expect((await run.result()).data).toBe('read');
  expect(JSON.stringify(kit.model.requests[0])).toContain(input);
  expect(place.objects().length).toBeGreaterThan(before);
  await kit.replay(run);
});

it('tells a client without the storage what to set, and names the storage to one that has it', async () => {
  const run = await ended();
  const { connection } = kit.client.temporal;
  const { namespace } = kit.client.temporal.options;
  const plain = new AgentClient(new Client({ connection, namespace, dataConverter: temporal.dataConverter }));
  await expect(plain.get(run.id).toolResult('t1.1')).rejects.toMatchObject({
    type: 'StorageUnavailable',
    message: expect.stringContaining('set the storage of its writer in temporal.yaml'),
  });
  const externalStorage = openStorage(storage);
  const own = new Client({ connection, namespace, dataConverter: { ...temporal.dataConverter, externalStorage } });
  expect(JSON.stringify(await new AgentClient(own).get(run.id).toolResult('t1.1'))).toContain(large);
});

it('says why a replay without the storage is not possible', async () => {
  kit.model.script(text('read'));
  const run = await kit.start(reader, { input: noise(400_000) });
  await run.result();
  const replayer = new Replayer({ temporal });
  const [history] = await kit.histories(run);
  if (history === undefined) throw new Error('no history');
  await expect(replayer.replay({ workflowId: run.id, history })).rejects.toMatchObject({
    type: 'StorageUnavailable',
    message: expect.stringContaining('it is in a storage that this process does not have'),
  });
  await replayer.close();
});

it('goes on in a new history with a window that is in the storage', async () => {
  const said = Array.from({ length: 4 }, () => noise(120_000));
  const talk = kit.conversation(desk, { id: 'talk' });
  for (const one of said) {
    kit.model.script(text('noted'));
    await talk.answerTo(await talk.send(one));
  }
  await move(kit, talk, false);
  kit.model.script(text('still here'));
  await talk.answerTo(await talk.send('again'));
  const transcript = JSON.stringify(await talk.transcript());
  for (const one of said) expect(transcript).toContain(one);
  const carried = (await kit.histories(talk))[1]?.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads;
  expect(JSON.stringify(carried).length).toBeLessThan(5000);
  await talk.close();
  await talk.result();
  await kit.replay(talk);
});
