import { defineAgent } from 'holdfast';
import {
  type AgentTestEnvironment,
  call,
  calls,
  createAgentTestEnvironment,
  ScriptedModel,
  text,
} from 'holdfast/testing';
import { factsOf } from '../facts';
import { agent, modelsOf, money, note, usage } from './stage/stage';

const tools = { note };
const modelSettings = { maxTokens: 100 };
const poor = agent('poor', { tools, modelSettings, budget: { tokens: 2000 } });
const dollar = agent('dollar', { tools, modelSettings, budget: { cost: money(2) } });
const twoCalls = agent('calls', { tools, budget: { modelCalls: 3 } });
const oneTool = agent('onetool', { tools, budget: { toolCalls: 2 } });
const plain = agent('plain', { tools, modelSettings });
const chat = defineAgent({
  name: 'budget.chat',
  mode: 'conversation',
  instructions: 'chat',
  tools,
  modelSettings,
  budget: { tokens: 10_000, perExchange: { modelCalls: 2 } },
});

const model = new ScriptedModel();
let kit: AgentTestEnvironment;
beforeAll(async () => {
  await model.start();
  kit = await createAgentTestEnvironment({
    agents: [poor, dollar, twoCalls, oneTool, plain, chat],
    models: modelsOf(model),
  });
});
afterAll(async () => {
  await kit.close();
  await model.close();
});
afterEach(() => model.reset());

const lastMessage = () => JSON.stringify(model.requests.at(-1)?.body.messages);

it('a run whose tokens are used up concludes with the call that was kept back', async () => {
  model.script(
    call('note', { text: 'a' }, usage(800, 100)),
    call('note', { text: 'b' }, usage(500, 100)),
    text('so far', usage(300, 50)),
  );
  const run = await kit.start(poor, { input: 'go' });
  expect(await run.result()).toMatchObject({
    data: 'so far',
    stoppedBy: { scope: 'run', kind: 'tokens' },
    usage: { prompt: 1600, completion: 250 },
  });
  expect(model.requests.at(-1)?.body).toMatchObject({ tool_choice: 'none' });
  expect(lastMessage()).toContain('Your budget is used up (tokens)');
  expect(await factsOf(run, 'budget.reached')).toMatchObject([{ kind: 'tokens', limit: 2000, spent: 1500 }]);
  expect(await factsOf(run, 'loop.end')).toMatchObject([{ reason: 'completed', stoppedBy: { kind: 'tokens' } }]);
  await kit.replay(run);
});

it('the model is told once when most of the budget is used', async () => {
  model.script(call('note', { text: 'a' }, usage(1500, 100)), text('done', usage(10, 10)));
  const run = await kit.start(plain, { input: 'go', budget: { tokens: 2000 } });
  expect((await run.result()).data).toBe('done');
  expect(await factsOf(run, 'budget.soft')).toMatchObject([{ kind: 'tokens', limit: 2000, spent: 1600 }]);
  expect(lastMessage()).toContain('You have used 80 % of your tokens.');
  await kit.replay(run);
});

it('money has a limit', async () => {
  model.script(
    call('note', { text: 'a' }, usage()),
    call('note', { text: 'b' }, usage(700, 50)),
    text('so far', usage(100, 50)),
  );
  const run = await kit.start(dollar, { input: 'go' });
  expect(await run.result()).toMatchObject({ cost: money(1.9), stoppedBy: { kind: 'cost' } });
  expect((await run.state()).budgets).toMatchObject({
    run: { cost: { limit: 2, spent: 1.9, reserved: 0, left: 0.1, currency: 'USD' } },
    reached: { kind: 'cost' },
  });
  await kit.replay(run);
});

it('the last model call of a budget is the conclusion', async () => {
  model.script(call('note', { text: 'a' }), call('note', { text: 'b' }), text('enough'));
  const run = await kit.start(twoCalls, { input: 'go' });
  expect(await run.result()).toMatchObject({
    data: 'enough',
    calls: { model: 3, tool: 2 },
    stoppedBy: { kind: 'modelCalls' },
  });
  await kit.replay(run);
});

it('calls of tools beyond the budget are not run', async () => {
  model.script(calls(['note', { text: 'a' }], ['note', { text: 'b' }], ['note', { text: 'c' }]), text('enough'));
  const run = await kit.start(oneTool, { input: 'go' });
  expect(await run.result()).toMatchObject({ data: 'enough', calls: { tool: 2 }, stoppedBy: { kind: 'toolCalls' } });
  expect(await factsOf(run, 'tool.error')).toMatchObject([{ toolUseId: 't1.3', error: { type: 'BudgetUsedUp' } }]);
  await kit.replay(run);
});

it.each([
  [{ tokens: 0 }, 'tokens'],
  [{ modelCalls: 0 }, 'modelCalls'],
  [{ cost: money(0) }, 'cost'],
])('a budget of 0 fails at once and calls no model: %j', async (budget, kind) => {
  const run = await kit.start(plain, { input: 'go', budget });
  await expect(run.result()).rejects.toMatchObject({ type: 'BudgetExhausted', data: { kind, limit: 0, spent: 0 } });
  expect(model.requests).toHaveLength(0);
  await kit.replay(run);
});

it('a budget that is too small for a conclusion fails, and calls no model', async () => {
  const run = await kit.start(plain, { input: 'go', budget: { tokens: 20 } });
  await expect(run.result()).rejects.toMatchObject({ type: 'BudgetExhausted', data: { kind: 'tokens', limit: 20 } });
  expect(model.requests).toHaveLength(0);
});

it('the budget of the caller and that of the agent both apply', async () => {
  model.script(text('done'));
  const run = await kit.start(poor, { input: 'go', budget: { tokens: 5000, modelCalls: 4 } });
  await run.result();
  expect((await run.state()).budgets).toMatchObject({ run: { tokens: { limit: 2000 }, modelCalls: { limit: 4 } } });
});

it('limits of an exchange begin again with the next one', async () => {
  const talk = await kit.start(chat, { input: null });
  for (const word of ['one', 'two']) {
    model.script(call('note', { text: 'a' }), text(word));
    expect(await talk.answerTo(await talk.send('go'))).toMatchObject({ data: word });
  }
  await talk.close();
  await talk.result();
  expect(await factsOf(talk, 'exchange.end')).toMatchObject([
    { reason: 'completed', stoppedBy: { scope: 'exchange', kind: 'modelCalls' } },
    { reason: 'completed', stoppedBy: { scope: 'exchange' } },
  ]);
  await kit.replay(talk);
});

it.each([
  [{ tokens: -1 }, '`budget.tokens`: Expected a whole number of at least 0, got `-1`'],
  [{ cost: { amount: -1, currency: 'USD' } }, '`budget.cost.amount`: Expected a number of at least 0, got `-1`'],
  [{ cost: { amount: 1, currency: 'dollars' } }, '`budget.cost.currency`: Expected an ISO 4217 code'],
  [{ coins: 3 }, '`budget`: Unknown field `coins`'],
])('an invalid budget is refused before the start: %j', async (budget, problem) => {
  await expect(kit.start(plain, { input: 'go', budget: budget as object })).rejects.toMatchObject({
    type: 'InvalidInput',
    message: expect.stringContaining(problem),
  });
});

it.each([
  ['budget.dollar', 'EUR', "The agent's budget is in USD, and the given one is in EUR"],
  ['budget.plain', 'EUR', 'The prices of the model `default` are in USD, and the budget is in EUR'],
])('a budget in another currency is refused: %s', async (name, currency, problem) => {
  const run = await kit.start(name, { input: 'go', budget: { cost: { amount: 1, currency } } });
  await expect(run.result()).rejects.toMatchObject({ type: 'InvalidInput', message: expect.stringContaining(problem) });
});
