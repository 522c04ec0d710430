import { Client } from '@temporalio/client';
import { defineAgent, defineTool } from 'holdfast';
import { AgentClient, openStorage } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { sha256 } from '../../runtime/sha256';
import { S3Store } from '../../runtime/storage/s3-store';
import { checkStorage } from '../../runtime/storage/storage';
import { until } from '../until';
import { Moto } from './moto';
import { noise } from './place';

const large = noise(900_000);
let during: () => unknown = () => undefined;
const reader = defineAgent({
  name: 's3.reader',
  tools: {
    read: defineTool({
      description: 'Reads',
      inputSchema: z.object({}),
      execute: async () => {
        await during();
        return large;
      },
    }),
  },
});
const BUCKET = 'payloads';

let moto: Moto;
let kit: AgentTestEnvironment;
let storage: { bucket: string; endpoint: string; prefix: string };
beforeAll(async () => {
  moto = await Moto.start();
  await moto.createBucket(BUCKET);
  storage = { bucket: BUCKET, endpoint: moto.endpoint, prefix: 'runs/' };
  kit = await createAgentTestEnvironment({ agents: [reader], server: 'dev', storage, maxCachedWorkflows: 0 });
}, 300_000);
afterAll(async () => {
  await kit.close();
  await moto.stop();
});
afterEach(() => {
  kit.model.reset();
  during = () => undefined;
});

/** A run to its end. */
async function ended() {
  kit.model.script(call('read', {}), text('done'));
  const run = await kit.start(reader, { input: 'go' });
  expect((await run.result()).data).toBe('done');
  return run;
}

/** A client that remembers no object. */
function fresh(): AgentClient {
  const { connection, options } = kit.client.temporal;
  const dataConverter = { externalStorage: openStorage(storage) };
  return new AgentClient(new Client({ connection, namespace: options.namespace, dataConverter }));
}
const read = (id: string) => fresh().get(id).toolResult('t1.1');

test('objects are written and read under the prefix, and written again without harm', async () => {
  const store = new S3Store(storage);
  const bytes = Buffer.from('an object');
  const key = sha256(bytes);
  await store.put(key, bytes);
  await store.put(key, bytes);
  expect(Buffer.from((await store.get(key)) ?? []).equals(bytes)).toBe(true);
  expect(await store.get('0'.repeat(64))).toBeUndefined();
  expect((await moto.keys(BUCKET)).filter((name) => name.includes(key))).toEqual([`runs/${key}`]);
});

test('a large result is in the bucket, and read from there', async () => {
  const run = await ended();
  expect(JSON.stringify(await read(run.id))).toContain(large);
  await kit.replay(run);
});

test('a read waits for a server that hangs', async () => {
  const run = await ended();
  moto.hang();
  const reading = read(run.id);
  setTimeout(() => moto.proceed(), 1000);
  expect(JSON.stringify(await reading)).toContain(large);
});

test('a server that dies in the middle of a run delays nothing and loses nothing that was written after it', async () => {
  during = () => moto.stop();
  const run = await ended();
  expect(JSON.stringify(await read(run.id))).toContain(large);
  await moto.restart();
  await moto.createBucket(BUCKET);
  during = () => undefined;
  await until(async () => {
    await ended();
    return (await moto.keys(BUCKET)).length > 0;
  }, 'the bucket to be used again');
  await kit.replay(run);
});

test('a run whose bucket vanishes goes on where it can, and what was in it fails by name', async () => {
  const before = await ended();
  during = () => moto.deleteBucket(BUCKET);
  const run = await ended();
  expect(JSON.stringify(await read(run.id))).toContain(large);
  await expect(read(before.id)).rejects.toMatchObject({
    type: 'StorageUnavailable',
    message: expect.stringMatching(/the bucket `payloads` at .* cannot be used \(.*does not exist/),
  });
  await expect(checkStorage(storage)).rejects.toMatchObject({ type: 'StorageUnavailable' });
  await moto.createBucket(BUCKET);
  await checkStorage(storage);
  await expect(read(before.id)).rejects.toMatchObject({
    type: 'StorageUnavailable',
    message: expect.stringContaining('does not have it'),
  });
});
