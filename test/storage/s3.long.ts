import { Client } from '@temporalio/client';
import { defineAgent, defineTool } from 'holdfast';
import { AgentClient, openStorage } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { ARCHIVE } from '../../agent/protocol/entities/archive';
import { sha256 } from '../../runtime/sha256';
import { archiveOf } from '../../runtime/storage/archiving-storage';
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
let storage: { bucket: string; endpoint: string; prefix: string; archive: boolean };
beforeAll(async () => {
  moto = await Moto.start();
  await moto.createBucket(BUCKET);
  storage = { bucket: BUCKET, endpoint: moto.endpoint, prefix: 'runs/', archive: true };
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

test('folders are listed and removed, also with more objects than an answer names', async () => {
  const store = new S3Store(storage);
  const names = Array.from({ length: 1001 }, (_, i) => `ends/${i}`);
  for (const name of [...names, 'facts']) await store.put(`folder/${name}`, Buffer.from('x'));
  expect((await store.list('folder')).sort()).toEqual(['ends', 'facts']);
  expect(await store.list('folder/ends')).toHaveLength(1001);
  expect(await store.list('fold')).toEqual([]);
  await store.put('folder-2/facts', Buffer.from('y'));
  await store.remove('folder');
  expect(await store.list('folder')).toEqual([]);
  expect(await store.list('folder-2')).toEqual(['facts']);
});

test('a run is archived in front of the prefix, read from there and deleted with the run', async () => {
  const run = await ended();
  const { runId } = await run.workflow.describe();
  const archive = kit.client.temporal.workflow.getHandle(ARCHIVE.idOf(runId));
  expect(await archive.result()).toBe(true);
  const keys = (await moto.keys(BUCKET)).filter((key) => key.includes(runId));
  expect(keys.sort()).toEqual([
    expect.stringMatching(/^archive\/runs\/[0-9a-f]{64}\/[-\w]+\/facts$/),
    expect.stringMatching(/^archive\/runs\/[0-9a-f]{64}\/[-\w]+\/messages$/),
    expect.stringMatching(/^archive\/runs\/[0-9a-f]{64}\/ends\/\d{15}-[-\w]+$/),
  ]);
  const kept = archiveOf(kit.client.temporal);
  expect(await kept?.lastEnd(kit.client.temporal, run.id)).toMatchObject({ runId });
  await kit.client.delete(run.id);
  expect((await moto.keys(BUCKET)).filter((key) => key.includes(runId))).toEqual([]);
  expect(await kept?.lastEnd(kit.client.temporal, run.id)).toBeUndefined();
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
    return (await moto.keys(BUCKET)).some((key) => key.startsWith(storage.prefix));
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
