import type { Payload } from '@temporalio/common';
import { defineAgent, signalService } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { DECISIONS } from '../../agent/protocol/decisions';
import { move } from '../chains/move';
import { endOf, expectWhole, plain } from '../services/stage';
import { until } from '../until';

const agent = defineAgent({ name: 'test.newer', services: { ask: signalService(plain, '1.0.0') } });
const PINNED = `"decisions":${DECISIONS}`;

/** The activity of which the result comes from a newer version, by a field that only its result has. */
let newer: 'hash' | 'input' | undefined;
/** The workflow is that of an older version. */
let isOlder = false;
const changed = (payload: Payload, text: string, decisions: number): Payload => ({
  ...payload,
  data: Buffer.from(text.replace(PINNED, `"decisions":${decisions}`)),
});
const codec = {
  encode: async (payloads: Payload[]) => payloads,
  decode: async (payloads: Payload[]) =>
    payloads.map((payload) => {
      const text = Buffer.from(payload.data ?? []).toString();
      if (isOlder && text.startsWith(`{${PINNED},"start"`)) return changed(payload, text, DECISIONS - 1);
      if (newer === undefined || !text.includes(PINNED) || !(newer in JSON.parse(text))) return payload;
      return changed(payload, text, DECISIONS + 1);
    }),
};

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({
    agents: [agent],
    server: 'dev',
    temporal: { dataConverter: { payloadCodecs: [codec] } },
  });
});
afterAll(() => kit.close());
beforeEach(() => kit.model.reset());
afterEach(() => {
  newer = undefined;
  isOlder = false;
});

const failed = async (run: RunHandle<unknown>) =>
  (await kit.history(run)).events?.flatMap(
    ({ workflowTaskFailedEventAttributes: task }) => task?.failure?.message ?? [],
  ) ?? [];

/** The run waits, says why, and goes on where a worker knows its decisions. */
async function expectToWait(run: RunHandle<unknown>): Promise<void> {
  await until(async () => (await failed(run)).length > 0, 'a workflow task that fails');
  expect((await failed(run))[0]).toContain(`the decisions of version ${DECISIONS + 1}, and this worker knows those`);
  expect((await run.workflow.describe()).status.name).toBe('RUNNING');
  const state = run.state();
  newer = undefined;
  expect(await state).toMatchObject({ status: 'running' });
}

test('a run that a newer version has begun waits for a worker of that version', async () => {
  newer = 'hash';
  kit.model.script(call('ask', { sku: 'a' }), text('done'));
  const run = (await kit.start(agent, { input: 'go' })) as RunHandle<unknown>;
  await expectToWait(run);
  await run.waiting({ atLeast: { services: 1 } });
  await run.workflow.signal('toolResult', { toolUseId: 't1.1', data: { left: 7 } });
  expect(await endOf(run)).toBe('done');
  await expectWhole(kit, run);
}, 90_000);

test('so does one that goes on in a new history', async () => {
  kit.model.script(call('ask', { sku: 'a' }), text('done'));
  const run = (await kit.start(agent, { input: 'go' })) as RunHandle<unknown>;
  await run.waiting({ atLeast: { services: 1 } });
  newer = 'input';
  await move(kit, run, false);
  await expectToWait(run);
  await run.workflow.signal('toolResult', { toolUseId: 't1.1', data: { left: 7 } });
  expect(await endOf(run)).toBe('done');
  await expectWhole(kit, run);
}, 90_000);

test('a run that begins beside a newer worker takes the decisions that its own knows', async () => {
  isOlder = true;
  kit.model.script(text('done'));
  const run = (await kit.start(agent, { input: 'go' })) as RunHandle<unknown>;
  expect(await endOf(run)).toBe('done');
  const payloads = (await kit.history(run)).events?.flatMap(
    ({ activityTaskCompletedEventAttributes: task }) => task?.result?.payloads ?? [],
  );
  expect(Buffer.from(payloads?.[0]?.data ?? []).toString()).toContain(`"decisions":${DECISIONS - 1}`);
}, 90_000);
