import { defineAgent, defineContract, eventService, type ServiceEvent } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf, waitForFact } from '../facts';
import { newGate } from '../gate';
import { endOf, expectWhole, outcomes } from './stage';

/** The contract of the agent `test.law`, as a client that asks it by events writes it down. */
const law = defineContract({
  type: 'arvo.orc.test.law',
  versions: {
    '1.0.0': {
      accepts: z.object({ text: z.string(), parentSubject$$: z.string().nullable() }),
      emits: { 'arvo.orc.test.law.done': z.looseObject({ verdict: z.string() }) },
    },
  },
});
const lawyer = {
  inputSchema: z.object({ text: z.string(), parentSubject$$: z.string().nullable() }),
  outputSchema: z.object({ verdict: z.string() }),
};
const agents = [
  defineAgent({ name: 'test.law', ...lawyer }),
  defineAgent({ name: 'test.posted', ...lawyer, replies: 'post' }),
  defineAgent({ name: 'test.lost', replies: 'lost' }),
  defineAgent({ name: 'test.plain' }),
  defineAgent({ name: 'test.asks', services: { law: eventService(law, '1.0.0', { outlet: 'law' }) } }),
];

const posted: ServiceEvent[] = [];
let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({
    agents,
    outlets: {
      post: (event) => void posted.push(event),
      law: async (event) => void (await kit.client.startFromEvent('test.law', event)),
      lost: { workflowId: 'missing' },
    },
  });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  posted.length = 0;
});

let events = 0;
const asking = (agent: string, more: Partial<ServiceEvent> = {}): ServiceEvent => ({
  specversion: '1.0',
  id: `ask-${++events}`,
  source: 'com.shop',
  subject: 'order-17',
  type: `arvo.orc.${agent}`,
  time: '2026-01-01T00:00:00Z',
  datacontenttype: 'application/json',
  data: { text: 'is it allowed?', parentSubject$$: null },
  ...more,
});
const verdict = text('{"verdict":"yes"}');

test('an event with the required data gets the completion event of the agent', async () => {
  kit.model.script(verdict);
  const passed = { accesscontrol: 'team-a', domain: 'eu', tracestate: 'desk=1' };
  const more = { ...passed, redirectto: 'com.desk', dataschema: '#/contracts/law/2.1.0' };
  const event = asking('test.posted', more);
  const run = await kit.client.startFromEvent<{ verdict: string }>('test.posted', event);
  const result = await run.result();
  expect(result.data).toEqual({ verdict: 'yes' });
  const { chainId, executionUnits } = await run.state();
  expect(result.event).toEqual({
    specversion: '1.0',
    id: `${chainId}/reply`,
    source: `holdfast/test.posted/${run.id}`,
    subject: 'order-17',
    type: 'arvo.orc.test.posted.done',
    time: expect.any(String),
    datacontenttype: 'application/json',
    dataschema: '#/contracts/law/2.1.0',
    data: { __executionunits: executionUnits, verdict: 'yes' },
    to: 'com.desk',
    parentid: event.id,
    ...passed,
    executionunits: executionUnits,
  });
  expect(posted).toEqual([result.event]);
  // The model does not read what is only for correlation.
  expect((await run.transcript())[0]?.parts).toEqual([{ type: 'text', text: '{"text":"is it allowed?"}' }]);
  await expectWhole(kit, run);
});

test.each(['as it is', 'in a field'])('a plain Temporal client passes the event %s', async (how) => {
  kit.model.script(text('done'));
  const event = asking('test.plain', { data: { text: 'x' } });
  const options = { workflowId: event.id, taskQueue: kit.taskQueue, args: [how === 'as it is' ? event : { event }] };
  const handle = await kit.temporal.client.workflow.start('test.plain', options);
  const result = await handle.result();
  expect(result).toMatchObject({
    data: 'done',
    event: {
      type: 'arvo.orc.test.plain.done',
      to: 'com.shop',
      parentid: event.id,
      subject: 'order-17',
      data: { response: 'done' },
    },
  });
  await kit.replay({ id: event.id });
});

test('a run that was started otherwise has no event to answer', async () => {
  kit.model.script(text('done'));
  const run = await kit.start('test.plain', { input: { text: 'x', parentSubject$$: 'another-run' } });
  expect(await run.result()).not.toHaveProperty('event');
});

test('the same event starts one run, and another one with its id is refused', async () => {
  kit.model.script(verdict);
  const event = asking('test.posted');
  const [one, two] = await Promise.all([
    kit.client.startFromEvent('test.posted', event),
    kit.client.startFromEvent('test.posted', { ...event, time: '2026-01-01T00:00:09Z' }),
  ]);
  expect(one.id).toBe(two.id);
  expect(one.id).toMatch(/^test\.posted-[0-9a-f]{32}$/);
  await one.result();
  expect((await kit.client.startFromEvent('test.posted', event)).id).toBe(one.id);
  expect(posted).toHaveLength(1);
  await expect(
    kit.client.startFromEvent('test.posted', { ...event, data: { text: 'another question' } }),
  ).rejects.toMatchObject({ type: 'IdInUse' });
  await expect(kit.client.startFromEvent('test.posted', asking('test.posted'), { id: one.id })).rejects.toMatchObject({
    type: 'IdInUse',
  });
});

test('one agent asks another by an event, and the answer is signalled to the run that waits', async () => {
  kit.model.script(call('law', { text: 'is it?' }), verdict, text('done'));
  const run = (await kit.start('test.asks', { input: 'go' })) as RunHandle<unknown>;
  expect(await endOf(run)).toBe('done');
  expect(JSON.parse((await outcomes(run))['t1.1'] ?? '')).toMatchObject({ verdict: 'yes' });
  await expectWhole(kit, run);
});

test('one agent that asks another hears of its failure', async () => {
  const unauthorized = fault({ kind: 'status', status: 401, code: 'invalid_api_key' });
  kit.model.script(call('law', { text: 'is it?' }), unauthorized, text('done'));
  const run = (await kit.start('test.asks', { input: 'go' })) as RunHandle<unknown>;
  expect(await endOf(run)).toBe('done');
  expect((await outcomes(run))['t1.1']).toMatch(/^ServiceFailed: `law` failed: ModelUnauthorized: The model server/);
  await expectWhole(kit, run);
});

test('the sender of the event is told that the run has failed, or was cancelled', async () => {
  kit.model.script(fault({ kind: 'status', status: 401, code: 'invalid_api_key' }));
  const event = asking('test.posted', { accesscontrol: 'team-a' });
  const failed = await kit.client.startFromEvent('test.posted', event);
  expect(await endOf(failed)).toBe('ModelUnauthorized');
  const refused = await kit.client.startFromEvent('test.posted', asking('test.posted', { data: { text: 7 } }));
  expect(await endOf(refused)).toBe('InvalidInput');
  kit.model.script(fault({ kind: 'stall', after: 3 }, { text: '{"verdict":' }));
  const cancelled = await kit.client.startFromEvent('test.posted', asking('test.posted'));
  await kit.model.request(2);
  await cancelled.cancel();
  expect(await endOf(cancelled)).toBe('Cancelled');
  expect(posted.map(({ type, data }) => [type, (data as { errorName: string }).errorName])).toEqual([
    ['sys.arvo.orc.test.posted.error', 'ModelUnauthorized'],
    ['sys.arvo.orc.test.posted.error', 'InvalidInput'],
    ['sys.arvo.orc.test.posted.error', 'Cancelled'],
  ]);
  expect(posted[0]).toMatchObject({
    parentid: event.id,
    to: 'com.shop',
    subject: 'order-17',
    accesscontrol: 'team-a',
    data: { errorMessage: expect.stringContaining('refused the key'), errorStack: null },
  });
  for (const run of [failed, refused, cancelled]) await expectWhole(kit, run);
});

test('an event of another type, or none at all, starts nothing', async () => {
  const { client } = kit;
  await expect(client.startFromEvent('test.plain', asking('test.law'))).rejects.toMatchObject({
    type: 'InvalidInput',
    message: expect.stringContaining('Expected an event of type `arvo.orc.test.plain`, got `arvo.orc.test.law`'),
  });
  await expect(client.startFromEvent('test.plain', { ...asking('test.plain'), id: '' })).rejects.toMatchObject({
    type: 'InvalidEvent',
  });
  await expect(client.startFromEvent('Unknown', asking('Unknown'))).rejects.toMatchObject({ type: 'InvalidAgentName' });
  const options = { workflowId: 'other-type', taskQueue: kit.taskQueue, args: [asking('test.law')] };
  await kit.temporal.client.workflow.start('test.plain', options);
  expect(await endOf(client.get('other-type'))).toBe('InvalidInput');
});

test('an answer that cannot be delivered leaves the result, and a fact that says so', async () => {
  kit.model.script(text('done'), text('done'));
  const lost = await kit.client.startFromEvent('test.lost', asking('test.lost', { data: {} }));
  expect(await endOf(lost)).toBe('done');
  const data = { parentSubject$$: 'a-run-that-is-gone' };
  const orphan = await kit.client.startFromEvent('test.plain', asking('test.plain', { data }));
  expect(await endOf(orphan)).toBe('done');
  await waitForFact(lost, 'reply.failed');
  await waitForFact(orphan, 'reply.failed');
  const told = [...(await factsOf(lost, 'reply.failed')), ...(await factsOf(orphan, 'reply.failed'))];
  expect(told).toMatchObject([
    { to: 'lost', problem: expect.stringContaining('no running workflow `missing`') },
    { to: 'a-run-that-is-gone' },
  ]);
  for (const run of [lost, orphan]) await kit.replay(run);
});

test('a reader that follows the run to its end sees what became of the answer', async () => {
  kit.model.script(text('done'));
  const run = await kit.client.startFromEvent('test.lost', asking('test.lost', { data: {} }));
  const seen = (await factsOf(run)).map(({ type }) => type);
  expect(seen.slice(-2)).toEqual(['loop.end', 'reply.failed']);
});

test('a run whose answer is being sent is not harmed by a cancel or a signal', async () => {
  const { open: taken, opened: open } = newGate();
  const slow = await createAgentTestEnvironment({
    agents: [defineAgent({ name: 'test.slow', replies: 'slow' })],
    outlets: { slow: (event) => open.then(() => void posted.push(event)) },
  });
  try {
    slow.model.script(text('done'));
    const run = await slow.client.startFromEvent('test.slow', asking('test.slow', { data: {} }));
    await waitForFact(run, 'loop.end');
    await run.workflow.signal('toolResult', { toolUseId: 't1.1', data: 1 });
    await run.cancel();
    taken();
    expect(await endOf(run)).toBe('done');
    const facts = (await factsOf(run)).map(({ type }) => type);
    expect(facts.filter((type) => type === 'loop.end')).toHaveLength(1);
    expect(facts).toContain('message.ignored');
    await slow.replay(run);
  } finally {
    await slow.close();
  }
});
