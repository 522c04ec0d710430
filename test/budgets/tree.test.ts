import { agentService } from 'holdfast';
import {
  type AgentTestEnvironment,
  call,
  calls,
  createAgentTestEnvironment,
  fault,
  ScriptedModel,
  text,
} from 'holdfast/testing';
import { factsOf } from '../facts';
import { until } from '../until';
import { agent, modelsOf, money, note, scripts, usage } from './stage/stage';

const tools = { note };
const modelSettings = { maxTokens: 100 };
const left = agent('left', { tools, modelSettings });
const right = agent('right', { tools, modelSettings });
const european = agent('european', { model: 'euros' });
const services = {
  left: agentService(left),
  right: agentService(right),
  capped: agentService(left, { budget: { cost: money(1.5) } }),
};
const boss = agent('boss', { services, modelSettings, budget: { cost: money(6) } });
const free = agent('unlimited', { services: { ...services, european: agentService(european) }, modelSettings });

const model = new ScriptedModel();
let kit: AgentTestEnvironment;
beforeAll(async () => {
  await model.start();
  kit = await createAgentTestEnvironment({ agents: [boss, free, left, right, european], models: modelsOf(model) });
});
afterAll(async () => {
  await kit.close();
  await model.close();
});
afterEach(() => model.reset());

const input = { input: 'x' };
const childOf = (run: { id: string }, nth = 1) => kit.client.get(`${run.id}/t1.${nth}`);

it('agents of one answer share equally what is left, and what they do not use returns', async () => {
  scripts(model, {
    boss: [
      { ...calls(['left', input], ['right', input]), ...usage() },
      call('left', input, usage(400, 100)),
      text('done', usage(400, 100)),
    ],
    left: [text('l', usage(400, 100)), text('again', usage(400, 100))],
    right: [text('r', usage(400, 100))],
  });
  const run = await kit.start(boss, { input: 'go' });
  expect(await run.result()).toMatchObject({ data: 'done', cost: money(3.5), children: { runs: 3, cost: money(1.5) } });
  const limits = await Promise.all(
    [1, 2].map(async (nth) => (await childOf(run, nth).state()).budgets?.run.cost?.limit),
  );
  // 6 - 1 spent - 1.3 for the conclusion of 1,000 + 2 × 100 tokens and an answer of 100.
  expect(limits).toEqual([1.85, 1.85]);
  const again = await kit.client.get(`${run.id}/t2.1`).state();
  // 6 - 2.5 spent - 0.7 for the conclusion.
  expect(again.budgets?.run.cost?.limit).toBe(2.8);
  expect((await run.state()).budgets?.run.cost).toMatchObject({ spent: 3.5, reserved: 0, left: 2.5, children: 1.5 });
  await kit.replay(run);
});

it('a service with a budget gets that, and the others share the rest', async () => {
  scripts(model, {
    boss: [{ ...calls(['capped', input], ['right', input]), ...usage() }, text('done', usage(400, 100))],
    left: [text('l', usage(400, 100))],
    right: [text('r', usage(400, 100))],
  });
  const run = await kit.start(boss, { input: 'go' });
  await run.result();
  const limits = await Promise.all(
    [1, 2].map(async (nth) => (await childOf(run, nth).state()).budgets?.run.cost?.limit),
  );
  expect(limits).toEqual([1.5, 2.2]);
});

it('a child agent whose share is used up concludes, and its caller goes on', async () => {
  scripts(model, {
    boss: [call('left', input, usage(400, 100)), text('done', usage(400, 100))],
    left: [
      call('note', { text: 'a' }, usage(500, 100)),
      call('note', { text: 'b' }, usage(700, 100)),
      text('half', usage(200, 50)),
    ],
  });
  const run = await kit.start(boss, { input: 'go', budget: { cost: money(3) } });
  expect(await run.result()).toMatchObject({ data: 'done', children: { cost: money(1.65) } });
  expect(await childOf(run).result()).toMatchObject({ data: 'half', stoppedBy: { kind: 'cost' } });
  await kit.replay(run);
});

it('an agent for which nothing is left is not asked', async () => {
  scripts(model, { boss: [call('left', input, usage(400, 100)), text('done', usage(400, 100))] });
  const run = await kit.start(boss, { input: 'go', budget: { cost: money(1.2) } });
  expect(await run.result()).toMatchObject({ data: 'done', calls: { model: 2 } });
  expect(await factsOf(run, 'tool.error')).toMatchObject([{ error: { type: 'BudgetUsedUp' } }]);
});

it('all of the share of a child that was cancelled counts as spent', async () => {
  scripts(model, {
    boss: [call('left', input, usage(400, 100)), text('done', usage(400, 100))],
    left: [fault({ kind: 'stall', after: 0 })],
  });
  const run = await kit.start(boss, { input: 'go', budget: { cost: money(3) } });
  await until(async () => model.requests.length === 2, 'the call of the child');
  await childOf(run).cancel();
  expect(await run.result()).toMatchObject({ data: 'done', cost: money(2.8), children: { cost: money(1.8) } });
  expect(await factsOf(run, 'budget.lost')).toMatchObject([{ toolUseId: 't1.1', cost: 1.8, currency: 'USD' }]);
});

it('an agent with prices in another currency refuses its share', async () => {
  scripts(model, { unlimited: [call('european', input, usage(400, 100)), text('done', usage(400, 100))] });
  const run = await kit.start(free, { input: 'go', budget: { cost: money(3) } });
  await run.result();
  expect(await factsOf(run, 'tool.error')).toMatchObject([
    {
      error: {
        message: expect.stringContaining('The prices of the model `euros` are in EUR, and the budget is in USD'),
      },
    },
  ]);
});

it('a run without a budget gives a service its own', async () => {
  scripts(model, {
    unlimited: [call('capped', input, usage()), text('done', usage())],
    left: [text('l', usage(400, 100))],
  });
  const run = await kit.start(free, { input: 'go' });
  await run.result();
  expect((await run.state()).budgets).toBeUndefined();
  expect((await childOf(run).state()).budgets?.run).toEqual({
    cost: { limit: 1.5, spent: 0.5, reserved: 0, left: 1, currency: 'USD' },
  });
});
