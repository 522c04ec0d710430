import { Client } from '@temporalio/client';
import { defineAgent, defineTool, signalService } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import type { Fact } from '../../agent/protocol/facts/fact';
import { factsOf } from '../facts';
import { endOf, expectWhole, plain } from '../services/stage';
import { until } from '../until';
import { move, newest } from './move';

const keys: string[] = [];
const tools = {
  look: defineTool({
    description: 'looks',
    inputSchema: z.object({ n: z.number() }),
    effect: 'idempotent',
    execute: ({ n }, { idempotencyKey }) => {
      keys.push(idempotencyKey ?? '');
      return `seen ${n}`.padEnd(n === 3 ? 50_000 : 0, '.');
    },
  }),
};
const services = { ask: signalService(plain, '1.0.0') };
const task = defineAgent({ name: 'test.read', limits: { maxToolInteractions: 1000 }, tools, services });
const talk = defineAgent({ name: 'test.talk', mode: 'conversation', tools, services });

let kit: AgentTestEnvironment;
let temporal: Client;
beforeAll(async () => {
  const serverSettings = ['limit.historyCount.suggestContinueAsNew=40'];
  kit = await createAgentTestEnvironment({ agents: [task, talk], server: 'dev', serverSettings });
  const { connection, namespace } = kit.temporal;
  temporal = new Client({ connection, namespace: namespace ?? 'default' });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  keys.length = 0;
});

const TURNS = 36;

test('readers that were there before a dozen moves, and those that come later, read each fact once', async () => {
  for (let n = 1; n <= TURNS; n++) kit.model.script(call('look', { n }));
  kit.model.script(text('done'));
  const run = (await kit.start(task, { input: 'go' })) as RunHandle<unknown>;
  const ending = run.result();
  const left: Fact[] = [];
  for await (const fact of run.facts()) {
    left.push(fact);
    if (fact.seq === 10) break;
  }
  const live = factsOf(run);
  await expect(ending).resolves.toMatchObject({ data: 'done' });
  for await (const fact of run.facts({ after: 10 })) left.push(fact);
  const all = await factsOf(run);
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i + 1));
  expect(left).toEqual(all);
  expect(await live).toEqual(all);
  const moves = all.filter(({ type }) => type === 'run.continued');
  expect(moves.length).toBeGreaterThanOrEqual(10);
  expect(await kit.histories(run)).toHaveLength(moves.length + 1);
  // Each reader from the middle as well.
  for (const { seq } of moves) {
    const rest: number[] = [];
    for await (const fact of run.facts({ after: seq })) rest.push(fact.seq);
    expect(rest).toEqual(all.slice(seq).map((fact) => fact.seq));
  }
  // A result that the model saw only the beginning of.
  expect(JSON.stringify(await run.toolResult('t3.1'))).toContain('.'.repeat(49_000));
  expect(await run.transcript()).toHaveLength(2 * TURNS + 2);
  expect(new Set(keys.map((key) => key.split('/')[0])).size).toBe(1);
  expect((await kit.client.sessions()).filter(({ id }) => id === run.id)).toHaveLength(1);
  await expectWhole(kit, run);
});

test('memo, search attributes and the time limit of workflow tasks stay over moves', async () => {
  kit.model.script(call('ask', { sku: 'a' }), text('done'));
  const run = (await kit.start(talk, {
    input: 'go',
    owner: 'ann',
    metadata: { team: 'x' },
  })) as RunHandle<unknown>;
  await run.waiting({ atLeast: { services: 1 } });
  await run.rename('My title');
  const before = await run.workflow.describe();
  const started = async () =>
    (await kit.history(run)).events?.[0]?.workflowExecutionStartedEventAttributes?.workflowTaskTimeout?.seconds;
  const timeout = await started();
  await move(kit, run, false);
  await move(kit, run, false);
  const after = await run.workflow.describe();
  expect(after.memo).toEqual(before.memo);
  expect(after.memo).toMatchObject({ holdfastTitle: 'My title' });
  const { BuildIds: _, ...attributes } = before.searchAttributes;
  expect(after.searchAttributes).toMatchObject(attributes);
  expect(String(await started())).toBe(String(timeout));
  expect(await run.state()).toMatchObject({ owner: 'ann', metadata: { team: 'x' }, title: 'My title' });
  await until(async () => (await kit.client.sessions({ owner: 'ann' })).length === 1, 'the list');
  await run.cancel();
  expect(await endOf(run)).toBe('Cancelled');
});

const start = (id: string, more: object) =>
  temporal.workflow.start(task.name, {
    workflowId: id,
    taskQueue: kit.taskQueue,
    args: [{ input: `the input of ${id}`, owner: 'ann' }],
    ...more,
  });
const ask = call('ask', { sku: 'a' });
const told = () => JSON.stringify(kit.model.requests.at(-1)?.body.messages);

test('a run of a schedule does not move, since the schedule would end: the next one starts from the beginning', async () => {
  kit.model.script(ask, text('one'), ask);
  const run = await start('moved-cron', { cronSchedule: '@every 1s' });
  try {
    const handle = kit.client.get(run.workflowId) as RunHandle<unknown>;
    await until(async () => (await handle.waiting()).services.length === 1, 'a service that is asked');
    const first = await newest(handle);
    const { chainId } = await handle.state();
    await handle.continueAsNew();
    await handle.workflow.signal('strange');
    const looked = () =>
      kit.history(handle).then(({ events }) => events?.some((event) => event.timerFiredEventAttributes));
    await until(async () => (await looked()) === true, 'a look at the history');
    expect(await newest(handle)).toBe(first);
    await handle.workflow.signal('toolResult', { toolUseId: 't1.1', data: { left: 1 } });
    await until(async () => (await newest(handle)) !== first, 'the next run');
    await until(async () => (await handle.waiting()).services.length === 1, 'its call');
    const state = await handle.state();
    expect(state.chainId).not.toBe(chainId);
    expect(state).toMatchObject({ turn: 1, exchange: 1, owner: 'ann' });
    expect(told()).toContain('the input of moved-cron');
  } finally {
    await temporal.workflow.getHandle('moved-cron').terminate();
  }
  await kit.replay({ id: 'moved-cron' });
});
