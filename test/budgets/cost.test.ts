import { agentService, defineAgent } from 'holdfast';
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
import { agent, modelsOf, money, note, scripts, usage } from './stage/stage';

const worker = agent('worker', { tools: { note } });
const european = agent('european', { model: 'euros' });
const free = agent('free', { model: 'free' });
const boss = agent('boss', {
  services: { worker: agentService(worker), european: agentService(european), free: agentService(free) },
});
const chain = defineAgent({ name: 'budget.chain', mode: 'conversation', model: ['default', 'free'] });

const model = new ScriptedModel();
let kit: AgentTestEnvironment;
beforeAll(async () => {
  await model.start();
  kit = await createAgentTestEnvironment({ agents: [boss, worker, european, free, chain], models: modelsOf(model) });
});
afterAll(async () => {
  await kit.close();
  await model.close();
});
afterEach(() => model.reset());

it('the cost of child agents is included, and shown apart', async () => {
  scripts(model, {
    boss: [call('worker', { input: 'x' }, usage()), text('done', usage())],
    worker: [call('note', { text: 'a' }, usage()), text('it is', usage(400, 100))],
  });
  const run = await kit.start(boss, { input: 'go' });
  const result = await run.result();
  const children = { runs: 1, usage: { prompt: 1300, completion: 200 }, cost: money(1.5) };
  expect(result).toEqual({
    data: 'done',
    usage: { prompt: 3100, completion: 400 },
    cost: money(3.5),
    // Of its own calls only: each run reports its own.
    executionUnits: 2,
    calls: { model: 4, tool: 2 },
    children,
  });
  expect(await run.state()).toMatchObject({ cost: money(3.5), children });
  expect(await factsOf(run, 'service.answered')).toMatchObject([{ spent: { cost: money(1.5), calls: { tool: 1 } } }]);
  expect(await factsOf(run, 'loop.end')).toMatchObject([{ cost: money(3.5), children }]);
  await kit.replay(run);
});

it('a child agent that fails has cost what it has cost', async () => {
  const invalid = fault({ kind: 'status', status: 400 });
  scripts(model, {
    boss: [call('worker', { input: 'x' }, usage()), text('done', usage())],
    worker: [call('note', { text: 'a' }, usage()), invalid],
  });
  const run = await kit.start(boss, { input: 'go' });
  expect(await run.result()).toMatchObject({ cost: money(3), children: { runs: 1, cost: money(1) } });
  await kit.replay(run);
});

it('money of other currencies and calls without a price stay apart', async () => {
  const input = { input: 'x' };
  scripts(model, {
    boss: [{ ...calls(['european', input], ['free', input]), ...usage() }, text('done', usage())],
    european: [text('oui', usage())],
    free: [text('yes', usage())],
  });
  const run = await kit.start(boss, { input: 'go' });
  expect(await run.result()).toMatchObject({
    usage: { prompt: 3600, completion: 400 },
    cost: money(2),
    otherCosts: [money(1, 'EUR')],
    unpriced: { calls: 1, tokens: 1000 },
  });
});

it('a chain of models with and without prices is not summed into one figure', async () => {
  const chat = await kit.start(chain, { input: null });
  model.script(text('one', usage()));
  await chat.answerTo(await chat.send('first'));
  expect(await chat.state()).toMatchObject({ cost: money(1), usage: { prompt: 900 } });
  model.script(fault({ kind: 'status', status: 401 }), text('two', usage()));
  await chat.answerTo(await chat.send('second'));
  const mixed = { usage: { prompt: 1800, completion: 200 }, cost: money(1), unpriced: { calls: 1, tokens: 1000 } };
  expect(await chat.state()).toMatchObject(mixed);
  await chat.close();
  expect(await chat.result()).toMatchObject(mixed);
});
