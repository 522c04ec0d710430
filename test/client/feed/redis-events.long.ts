import { defineAgent } from 'holdfast';
import { AgentClient } from 'holdfast/client';
import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import { createWorker } from 'holdfast/worker';
import { loadConfig } from '../../../runtime/config/config';
import { SILENT_LOG } from '../../../runtime/log';
import { flowingAnswer } from '../../flowing-answer';
import { RedisServer } from '../../kit/redis-server';
import { until } from '../../until';

const writer = defineAgent({ name: 'notes.writer', instructions: 'Write.' });
const TASK_QUEUE = 'with-redis';

let kit: AgentTestEnvironment;
let redis: RedisServer;
const endings: (() => unknown)[] = [];
beforeAll(async () => {
  [kit, redis] = await Promise.all([
    createAgentTestEnvironment({ agents: [writer], server: 'dev' }),
    RedisServer.start(),
  ]);
});
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  kit.model.reset();
});
afterAll(() => Promise.all([kit.close(), redis.close()]));

async function configured() {
  const defaults = await loadConfig({ cwd: '/', env: {} });
  const { address, namespace = 'default' } = kit.temporal;
  return {
    ...defaults,
    temporal: { ...defaults.temporal, address, namespace, taskQueue: TASK_QUEUE },
    bus: { redis: redis.url },
  };
}

async function withWorker(): Promise<AgentClient> {
  const config = await configured();
  const models = { default: { baseUrl: kit.model.url, model: 'scripted', apiKey: 'none' } };
  const worker = await createWorker({ agents: [writer], config, models, logger: SILENT_LOG });
  const ended = worker.run();
  endings.push(async () => {
    worker.shutdown();
    await ended;
  });
  return withClient();
}

async function withClient(): Promise<AgentClient> {
  const client = await AgentClient.connect({ config: await configured(), logger: SILENT_LOG });
  endings.push(() => client.close());
  return client;
}

/** The text of the answer in progress, until its message. */
function reading(client: AgentClient, id: string): { shown: string; facts: number[]; end: Promise<void> } {
  const all = { shown: '', facts: [] as number[], end: Promise.resolve() };
  all.end = (async () => {
    for await (const event of client.get(id).events()) {
      if (event.type === 'stream.text') all.shown += event.text;
      if (event.type === 'stream.clear') all.shown = '';
      if ('callId' in event) continue;
      all.facts.push(event.seq);
      if (event.type === 'loop.end') return;
    }
  })();
  return all;
}

it('streams a run to clients that have only Redis in common with the worker, also to one that joins in mid-answer', async () => {
  const client = await withWorker();
  const counts = flowingAnswer();
  kit.model.script(counts.step);
  const run = await client.start(writer, { input: 'go' });
  const first = reading(client, run.id);
  await until(() => first.shown.length > 60, 'the middle of the answer');
  const late = reading(await withClient(), run.id);
  await until(() => late.shown.length > 60, 'the late reader');
  counts.end();
  await Promise.all([first.end, late.end]);
  expect([first.shown, late.shown]).toEqual(Array(2).fill(counts.said()));
  expect(late.facts).toEqual(first.facts);
});

it('gives all facts while Redis dies in mid-answer', async () => {
  const client = await withWorker();
  const answer = flowingAnswer();
  kit.model.script(answer.step);
  const run = await client.start(writer, { input: 'go' });
  const reader = reading(client, run.id);
  await until(() => reader.shown.length > 20, 'the middle of the answer');
  await redis.kill();
  answer.end();
  expect((await run.result()).data).toBe(answer.said());
  await reader.end;
  expect(reader.facts).toEqual(Array.from(reader.facts, (_, i) => i + 1));
  await redis.restart();
});
