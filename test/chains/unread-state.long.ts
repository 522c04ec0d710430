import { Client } from '@temporalio/client';
import { type Payload, ValueError } from '@temporalio/common';
import { defineAgent, signalService } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { endOf, expectWhole, plain } from '../services/stage';
import { until } from '../until';
import { move } from './move';

const agent = defineAgent({ name: 'test.unread', services: { ask: signalService(plain, '1.0.0') } });

/** How a state that a run passes on is changed on its way to the workers, by the id of the run. */
const changes = new Map<string, (carried: string) => string>();
const codec = {
  encode: async (payloads: Payload[]) => payloads,
  decode: async (payloads: Payload[]) =>
    payloads.map((payload) => {
      const text = Buffer.from(payload.data ?? []).toString();
      if (!text.startsWith('{"version":1,"runId"')) return payload;
      const [, change] = [...changes].find(([id]) => text.includes(id)) ?? [];
      return change === undefined ? payload : { ...payload, data: Buffer.from(change(text)) };
    }),
};

let kit: AgentTestEnvironment;
let temporal: Client;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({
    agents: [agent],
    server: 'dev',
    temporal: { dataConverter: { payloadCodecs: [codec] } },
  });
  const { connection, namespace } = kit.temporal;
  temporal = new Client({ connection, namespace: namespace ?? 'default' });
});
afterAll(() => kit.close());
afterEach(() => {
  changes.clear();
  kit.model.reset();
});

const broken: { readonly [what: string]: (carried: string) => string } = {
  'a newer version': (carried) => carried.replace('"version":1', '"version":99'),
  'a field that is missing': (carried) => carried.replace('"chainId"', '"chainName"'),
  'no JSON': () => '{"version":1,"runId"',
  'a codec that cannot read it': () => {
    throw new ValueError('no key');
  },
};

test('a run waits for a worker that can read its state', async () => {
  const runs: [string, RunHandle<unknown>][] = [];
  for (const what of Object.keys(broken)) {
    kit.model.script(call('ask', { sku: 'a' }));
    const run = (await kit.start(agent, { input: 'go' })) as RunHandle<unknown>;
    await run.waiting({ atLeast: { services: 1 } });
    runs.push([what, run]);
  }
  kit.model.script(...runs.map(() => text('done')));
  // Together: a server repeats a workflow task that has failed twice only after ten seconds.
  await Promise.all(runs.map(([what, run]) => expectToWait(what, run)));
});

async function expectToWait(what: string, run: RunHandle<unknown>): Promise<void> {
  changes.set(run.id, broken[what] as (carried: string) => string);
  await move(kit, run, false);
  const failed = async () =>
    (await kit.history(run)).events?.find(({ workflowTaskFailedEventAttributes: task }) => task != null);
  await until(async () => (await failed()) !== undefined, `a workflow task that fails for ${what}`);
  expect((await run.workflow.describe()).status.name).toBe('RUNNING');
  changes.delete(run.id);
  await run.workflow.signal('toolResult', { toolUseId: 't1.1', data: { left: 7 } });
  expect(await endOf(run)).toBe('done');
  await expectWhole(kit, run);
}

test('the failed task says which versions the worker reads, and what to do', async () => {
  kit.model.script(call('ask', { sku: 'a' }));
  const run = (await kit.start(agent, { input: 'go' })) as RunHandle<unknown>;
  await run.waiting({ atLeast: { services: 1 } });
  changes.set(run.id, broken['a newer version'] as (carried: string) => string);
  await move(kit, run, false);
  const messages = async () =>
    (await kit.history(run)).events?.flatMap(
      ({ workflowTaskFailedEventAttributes: task }) => task?.failure?.message ?? [],
    );
  await until(async () => ((await messages()) ?? []).length > 0, 'a workflow task that fails');
  expect((await messages())?.[0]).toContain('a state of version 99, and this worker reads version 1. Deploy workers');
  await run.workflow.terminate();
});

const carried = { version: 1, runId: 'none', transcript: {}, state: {} };
test.each([
  ['a state that no run has written', carried],
  ['a newer version', { ...carried, version: 99 }],
  ['garbage', { transcript: null, runId: 7 }],
])('a client that starts a run with %s is told what to send', async (_, given) => {
  const id = `forged-${Math.random()}`;
  await temporal.workflow.start(agent.name, { workflowId: id, taskQueue: kit.taskQueue, args: [given] });
  await expect(kit.client.get(id).result()).rejects.toMatchObject({
    type: 'InvalidCarriedState',
    message: expect.stringMatching(/start the run with `\{"input": …\}`|non-empty string/),
  });
});

test('each run of a schedule that was given such a state is refused, and none hangs', async () => {
  const start = { workflowId: 'forged-cron', taskQueue: kit.taskQueue, args: [carried], cronSchedule: '@every 1s' };
  const run = await temporal.workflow.start(agent.name, start);
  try {
    const first = (await run.describe()).runId;
    await until(async () => (await run.describe()).runId !== first, 'the next run');
    const second = await run.describe();
    await until(async () => (await run.describe()).runId !== second.runId, 'the end of the next run');
    await expect(temporal.workflow.getHandle('forged-cron', second.runId).describe()).resolves.toMatchObject({
      status: { name: 'FAILED' },
    });
  } finally {
    await run.terminate();
  }
});
