import { ApplicationFailure, type Payload } from '@temporalio/common';
import { defineAgent, defineTool, type ServiceEvent, signalService } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';
import { newGate } from '../gate';
import { endOf, expectWhole, plain } from '../services/stage';
import { until } from '../until';
import { move, tell } from './move';

const paid: number[] = [];
const sent: ServiceEvent[] = [];
const agent = defineAgent({
  name: 'test.resuming',
  instructions: 'Pay.',
  mode: 'conversation',
  replies: 'out',
  tools: {
    'desk.pay': defineTool({
      description: 'pays',
      inputSchema: z.object({ amount: z.number() }),
      approval: 'always',
      execute: ({ amount }) => void paid.push(amount),
    }),
  },
  services: { ask: signalService(plain, '1.0.0') },
});

/** Until it is true, no run can read again what it had pinned. */
let readable = true;
const codec = {
  encode: async (payloads: Payload[]) => payloads,
  async decode(payloads: Payload[]) {
    const asked = payloads.some(({ data }) => data && Buffer.from(data).includes('"want":["manifest"'));
    if (asked && !readable) throw ApplicationFailure.retryable('The keys cannot be read at the moment');
    return payloads;
  },
};

let kit: AgentTestEnvironment;
beforeAll(async () => {
  const outlets = { out: (event: ServiceEvent) => void sent.push(event) };
  kit = await createAgentTestEnvironment({
    agents: [agent],
    outlets,
    server: 'dev',
    temporal: { dataConverter: { payloadCodecs: [codec] } },
  });
});
afterAll(() => kit.close());
afterEach(() => {
  readable = true;
  kit.model.reset();
  paid.length = 0;
  sent.length = 0;
});

/** A run that waits for a decision and for a service, and that has gone on in a new history which it cannot read yet. */
async function resuming(event?: ServiceEvent): Promise<RunHandle<unknown>> {
  kit.model.script(calls(['desk_pay', { amount: 5 }], ['ask', { sku: 'a' }]), text('done'));
  const started =
    event === undefined ? kit.start(agent, { input: 'go' }) : kit.client.startFromEvent(agent.name, event);
  const run = (await started) as RunHandle<unknown>;
  await run.waiting({ atLeast: { approvals: 1, services: 1 } });
  readable = false;
  await move(kit, run, false);
  return run;
}

const attributes = async (run: RunHandle<unknown>) => {
  const { searchAttributes } = await run.workflow.describe();
  return { status: searchAttributes.HoldfastStatus?.[0], awaiting: searchAttributes.HoldfastAwaiting?.[0] };
};

test('queries tell the same while a run resumes, or wait until it has', async () => {
  const run = await resuming();
  const waiting = await run.waiting();
  const during = Promise.all([run.state(), run.transcript({ form: 'openai' })]);
  readable = true;
  const [state, transcript] = await during;
  expect(state).toMatchObject({ mode: 'conversation', tools: ['desk.pay', 'ask'], models: ['default'] });
  expect(transcript[0]).toMatchObject({ role: 'system' });
  expect(await run.waiting()).toEqual(waiting);
  await run.cancel();
  expect(await endOf(run)).toBe('Cancelled');
  await expectWhole(kit, run);
});

test('commands wait while a run resumes, and lists show what it waits for afterwards', async () => {
  const run = await resuming();
  expect(await attributes(run)).toEqual({ status: 'waiting', awaiting: 'approval' });
  const approved = run.approve({ toolUseId: 't1.1' }, { by: 'ann' });
  const sentAgain = run.send('and then?', { id: 'm1' });
  await run.workflow.signal('toolResult', { toolUseId: 't1.2', data: { left: 7 } });
  await kit.stopWorker();
  readable = true;
  await kit.startWorker();
  await expect(approved).resolves.toMatchObject({ decision: 'approve' });
  await expect(sentAgain).resolves.toMatchObject({ exchange: 2 });
  kit.model.script(text('that was it'));
  await until(async () => (await run.state()).idle, 'the second answer');
  expect(paid).toEqual([5]);
  await until(async () => (await attributes(run)).awaiting === 'message', 'the lists');
  await tell(kit, run, 'close');
  expect(await endOf(run)).toBe('that was it');
  await expectWhole(kit, run);
});

test('lists no longer show a wait that ended while the run resumed', async () => {
  const run = await resuming();
  const answered = newGate();
  kit.model.reset();
  kit.model.script(async () => {
    await answered.opened;
    return text('done');
  });
  const approved = run.approve({ toolUseId: 't1.1' }, { by: 'ann' });
  await run.workflow.signal('toolResult', { toolUseId: 't1.2', data: { left: 7 } });
  readable = true;
  await approved;
  await kit.model.request(1);
  expect(await attributes(run)).toEqual({ status: 'running', awaiting: undefined });
  answered.open();
  await until(async () => (await run.state()).idle, 'the answer');
  await run.cancel();
  expect(await endOf(run)).toBe('Cancelled');
  await expectWhole(kit, run);
});

test('a run that is cancelled while it resumes has a result for each call, and tells its caller', async () => {
  const run = await resuming({
    specversion: '1.0',
    id: 'asked-1',
    source: 'caller',
    subject: 'the-caller',
    type: 'arvo.orc.test.resuming',
    time: '2026-01-01T00:00:00Z',
    datacontenttype: 'application/json',
    data: { text: 'go', parentSubject$$: null },
  });
  await run.cancel();
  readable = true;
  expect(await endOf(run)).toBe('Cancelled');
  expect(await factsOf(run, 'tool.error')).toHaveLength(2);
  expect(await attributes(run)).toEqual({ status: 'cancelled', awaiting: undefined });
  expect(sent).toMatchObject([{ parentid: 'asked-1', type: 'sys.arvo.orc.test.resuming.error' }]);
  await expectWhole(kit, run);
});

test('a worker that dies between the move and its first activity loses nothing', async () => {
  const run = await resuming();
  await kit.stopWorker();
  readable = true;
  await run.workflow.signal('toolResult', { toolUseId: 't1.2', data: { left: 7 } });
  await kit.startWorker();
  await run.approve({ toolUseId: 't1.1' }, { by: 'ann' });
  await until(async () => (await run.state()).idle, 'the answer');
  expect(paid).toEqual([5]);
  await run.cancel();
  expect(await endOf(run)).toBe('Cancelled');
  await expectWhole(kit, run);
});
