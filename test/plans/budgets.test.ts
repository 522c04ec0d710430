import { type Agent, defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, type ModelReply, text } from 'holdfast/testing';
import { z } from 'zod';
import { usage } from '../budgets/stage/stage';
import { factsOf } from '../facts';
import { plans, step } from './planner';

const paid: number[] = [];
const pay = defineTool({
  description: 'Pays a bill',
  inputSchema: z.object({ amount: z.number() }),
  execute: ({ amount }) => {
    paid.push(amount);
    return `paid ${amount}`;
  },
});
const planned = { tools: { pay }, strategy: 'plan', modelSettings: { maxTokens: 100 } } as const;
const toolCalls = defineAgent({ name: 'test.tool.calls', ...planned, budget: { toolCalls: 1 } });
const modelCalls = defineAgent({ name: 'test.model.calls', ...planned, budget: { modelCalls: 3 } });
const tokens = defineAgent({ name: 'test.tokens', ...planned, budget: { tokens: 2000 } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [toolCalls, modelCalls, tokens] });
});
afterAll(() => kit.close());
afterEach(() => {
  paid.length = 0;
  kit.model.reset();
});

const twoBills = (more: Partial<ModelReply> = {}): ModelReply => ({
  ...plans(step(1, 'Pay'), step(2, 'Pay')),
  ...more,
});

async function endOf(agent: Agent<unknown, string, 'task'>, ...script: ModelReply[]) {
  kit.model.script(...script);
  const run = await kit.start(agent, { input: 'Do it' });
  const result = await run.result();
  kit.model.assertDone();
  const facts = await factsOf(run);
  await kit.replay(run);
  expect(result.data).toBe('One is paid.');
  expect(paid).toEqual([1]);
  expect(facts.filter(({ type }) => type === 'plan.fallback')).toMatchObject([{ why: 'limit' }]);
  return { result, facts };
}

test('a budget of calls holds for the steps of a plan', async () => {
  await endOf(toolCalls, twoBills(), call('pay', { amount: 1 }), text('One is paid.'));
});

test('calls of all purposes count in a budget, which leaves a conclusion', async () => {
  const { result } = await endOf(modelCalls, twoBills(), call('pay', { amount: 1 }), text('One is paid.'));
  expect(result.calls.model).toBe(3);
  expect(kit.model.requests[2]?.body).toMatchObject({ tool_choice: 'none' });
});

test('tokens of all purposes count in a budget, which leaves a conclusion', async () => {
  const { result, facts } = await endOf(
    tokens,
    twoBills(usage(800, 100)),
    call('pay', { amount: 1 }, usage(500, 100)),
    text('One is paid.', usage(300, 50)),
  );
  expect(result).toMatchObject({
    stoppedBy: { scope: 'run', kind: 'tokens' },
    usage: { prompt: 1600, completion: 250 },
  });
  expect(facts.filter(({ type }) => type === 'budget.reached')).toMatchObject([
    { kind: 'tokens', limit: 2000, spent: 1500 },
  ]);
  expect(kit.model.requests[2]?.body).toMatchObject({ tool_choice: 'none' });
});
