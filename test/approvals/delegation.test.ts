import { setTimeout as sleep } from 'node:timers/promises';
import { agentService, defineAgent } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { newGate } from '../gate';
import type { ChatRequest } from '../kit/model-reply';
import { collectGarbage } from '../measure/collect-garbage';
import { until } from '../until';
import { paid, pay } from './desk';

const input = z.object({ task: z.string() });
const child = (name: string) =>
  defineAgent({ name, inputSchema: input, instructions: name, tools: { refund: pay(name, 'always') } });
const sales = child('test.sales');
const support = child('test.support');
const operator = defineAgent({
  name: 'test.operator',
  instructions: 'operator',
  services: { sales: agentService(sales), support: agentService(support) },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [operator, sales, support] });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  paid.length = 0;
});

/** All three agents ask one model, in any order. */
function answer({ request }: { request: ChatRequest }) {
  const { messages } = request;
  const who = String(messages[0]?.content);
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.stringify(content));
  if (results.length > 0) return text(`${who}: ${results.join(', ')}`);
  if (who === 'operator') return calls(['sales', { task: 'a' }], ['support', { task: 'b' }]);
  return call('refund', { amount: 7 });
}

async function start(): Promise<RunHandle<string>> {
  kit.model.script(...Array.from({ length: 6 }, () => answer));
  return kit.start(operator, { input: 'go', owner: 'u1' });
}

/** The end of a run. Not by `result`, which skips the time of the other runs, and of this one until a cancel arrives. */
async function end({ id }: { id: string }): Promise<void> {
  const status = async () => (await kit.client.get(id).workflow.describe()).status.name;
  await until(async () => (await status()) !== 'RUNNING', `the end of ${id}`);
}

test('an operator shows what its child agents wait for, and ends once both are decided', async () => {
  const run = await start();
  const asks = (await run.waiting({ atLeast: { approvals: 2 } })).approvals;
  expect(asks.map(({ id, agent, owner, toolUseId, tool }) => [id, agent, owner, toolUseId, tool]).sort()).toEqual([
    [`${run.id}/t1.1`, 'test.sales', 'u1', 't1.1', 'refund'],
    [`${run.id}/t1.2`, 'test.support', 'u1', 't1.1', 'refund'],
  ]);
  const [one, two] = asks;
  if (one === undefined || two === undefined) throw new Error('two were asked');
  await run.approve(one, { by: 'ann' });
  await end(one);
  expect((await run.waiting({ atLeast: { approvals: 1 } })).approvals).toEqual([two]);
  expect(await run.state()).toMatchObject({ status: 'running', turn: 1 });
  await expect(run.approve(one, { by: 'bob' })).rejects.toMatchObject({ type: 'RunEnded', data: { id: one.id } });
  // The operator itself waits for no decision.
  await expect(run.approve({ toolUseId: 't1.1' }, { by: 'ann' })).rejects.toMatchObject({
    type: 'ApprovalNotFound',
    data: { id: run.id, pending: [] },
  });
  await run.deny(two, { by: 'bob', reason: 'enough' });
  const { data } = await run.result();
  expect(data).toContain('paid 7');
  expect(data).toContain('bob denied it: enough');
  expect(paid).toHaveLength(1);
  expect((await run.waiting()).approvals).toEqual([]);
  for (const id of [run.id, one.id, two.id]) await kit.replay({ id });
});

test('a reader that waits learns what a child agent asks later', async () => {
  const gate = newGate();
  const later = async (asked: { request: ChatRequest }) => {
    if (asked.request.messages[0]?.content !== 'operator') await gate.opened;
    return answer(asked);
  };
  kit.model.script(...Array.from({ length: 3 }, () => later));
  const run = await kit.start(operator, { input: 'go' });
  const asked = run.waiting({ atLeast: { approvals: 2 } });
  await kit.model.request(3);
  // Between two looks, the time of the next one is held by nothing else.
  for (let i = 0; i < 5; i++) {
    await sleep(100);
    await collectGarbage(1);
  }
  gate.open();
  expect((await asked).approvals).toHaveLength(2);
  await run.cancel();
});

test('a cancelled operator cancels its waiting child agents', async () => {
  const run = await start();
  const asks = (await run.waiting({ atLeast: { approvals: 2 } })).approvals;
  await run.cancel();
  for (const { id } of [run, ...asks]) {
    await end({ id });
    await expect(kit.client.get(id).result()).rejects.toMatchObject({ type: 'Cancelled' });
    await kit.replay({ id });
  }
  expect((await run.waiting()).approvals).toEqual([]);
  expect(paid).toEqual([]);
  await kit.replay(run);
});
