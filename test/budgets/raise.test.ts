import { agentService, defineAgent, defineTool, type PendingApproval } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, ScriptedModel, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';
import { agent, modelsOf, money, scripts, usage } from './stage/stage';

const pay = defineTool({
  description: 'Pays',
  effect: 'once',
  inputSchema: z.object({ amount: z.number() }),
  approval: 'always',
  execute: ({ amount }) => `paid ${amount}`,
});
const modelSettings = { maxTokens: 100 };
const payer = agent('payer', { tools: { pay }, modelSettings, budget: { cost: money(2), deadline: '3d' } });
const child = agent('child', { tools: { pay }, modelSettings });
const boss = agent('boss', { services: { child: agentService(child) }, modelSettings, budget: { tokens: 20_000 } });
const slow = defineTool({
  description: 'Takes its time',
  effect: 'read',
  inputSchema: z.object({}),
  execute: () => new Promise<string>((done) => setTimeout(() => done('late'), 700)),
});
const timed = agent('timed', { tools: { pay, slow }, budget: { time: '600ms' } });
const patient = agent('patient', { tools: { pay }, budget: { time: '1h' } });
const chat = defineAgent({ name: 'budget.talk', mode: 'conversation', modelSettings, budget: { tokens: 1000 } });
const free = agent('free');

const model = new ScriptedModel();
let kit: AgentTestEnvironment;
beforeAll(async () => {
  await model.start();
  kit = await createAgentTestEnvironment({
    agents: [payer, boss, child, chat, free, timed, patient],
    models: modelsOf(model),
  });
});
afterAll(async () => {
  await kit.close();
  await model.close();
});
afterEach(() => model.reset());

/** The call of a run that waits for a person. */
async function asked(run: Pick<RunHandle<unknown>, 'waiting'>): Promise<PendingApproval> {
  const { approvals } = await run.waiting({ atLeast: 1 });
  const [ask] = approvals;
  if (ask === undefined) throw new Error('nothing waits');
  return ask;
}

it('a budget is raised while the run waits for a person', async () => {
  model.script(
    call('pay', { amount: 1 }, usage(1400, 100)),
    call('pay', { amount: 2 }, usage(400, 100)),
    text('paid', usage(400, 100)),
  );
  const run = await kit.start(payer, { input: 'go' });
  const first = await asked(run);
  expect(await run.raiseBudget({ cost: money(5) }, { by: 'ann' })).toEqual({ cost: money(5), deadline: 259_200_000 });
  await run.approve(first, { by: 'ann' });
  const second = await asked(run);
  await run.approve(second, { by: 'ann' });
  const result = await run.result();
  expect(result).toMatchObject({ data: 'paid', cost: money(2.5) });
  expect(result).not.toHaveProperty('stoppedBy');
  expect(await factsOf(run, 'budget.raised')).toMatchObject([{ scope: 'run', limits: { cost: money(5) }, by: 'ann' }]);
  await kit.replay(run);
});

it('a conversation whose budget is used up fails each exchange, until it is raised by a signal', async () => {
  const talk = await kit.start(chat, { input: null });
  model.script(text('one', usage(900, 100)));
  expect(await talk.answerTo(await talk.send('go'))).toMatchObject({ data: 'one' });
  await expect(talk.answerTo(await talk.send('more'))).rejects.toMatchObject({ type: 'BudgetExhausted' });
  await kit.temporal.client.workflow.getHandle(talk.id).signal('raiseBudget', { tokens: 9000, by: 'ann' });
  model.script(text('two', usage()));
  expect(await talk.answerTo(await talk.send('again'))).toMatchObject({ data: 'two' });
  await talk.close();
  expect(await talk.result()).toMatchObject({ usage: { prompt: 1800, completion: 200 } });
  await kit.replay(talk);
});

it('the deadline ends a wait for a person, and the run concludes', async () => {
  model.script(call('pay', { amount: 1 }, usage(400, 100)), text('without a decision', usage(400, 100)));
  const run = await kit.start(payer, { input: 'go' });
  await run.waiting({ atLeast: 1 });
  await kit.skip('4d');
  expect(await run.result()).toMatchObject({
    data: 'without a decision',
    stoppedBy: { scope: 'run', kind: 'deadline' },
  });
  expect(JSON.stringify(await factsOf(run, 'tool.error'))).toContain('was cancelled before it ran');
  await kit.replay(run);
});

it('the time of models and tools counts, and that of people does not', async () => {
  model.script(call('slow'), text('enough'));
  const run = await kit.start(timed, { input: 'go' });
  expect(await run.result()).toMatchObject({ data: 'enough', stoppedBy: { scope: 'run', kind: 'time' } });
  await kit.replay(run);

  model.script(call('pay', { amount: 1 }), text('paid'));
  const waits = await kit.start(patient, { input: 'go' });
  const ask = await asked(waits);
  await kit.skip('2d');
  await waits.approve(ask, { by: 'ann' });
  expect(await waits.result()).not.toHaveProperty('stoppedBy');
  expect((await waits.state()).budgets?.run.time?.spent).toBeLessThan(3_600_000);
  await kit.replay(waits);
});

it('a raise that cannot be is refused by name', async () => {
  model.script(call('pay', { amount: 1 }, usage(400, 100)), text('done', usage(400, 100)));
  const run = await kit.start(payer, { input: 'go' });
  const ask = await asked(run);
  const refused = (type: string, message: string) => ({ type, message: expect.stringContaining(message) });
  await expect(run.raiseBudget({ tokens: 5 })).rejects.toMatchObject(
    refused('BudgetNotRaised', 'it has no limit for `tokens`, only for `cost`, `deadline`'),
  );
  await expect(run.raiseBudget({ cost: money(1) })).rejects.toMatchObject(
    refused('BudgetNotRaised', '`cost` is limited to 2, and 1 is less'),
  );
  await expect(run.raiseBudget({ cost: money(9, 'EUR') })).rejects.toMatchObject(
    refused('BudgetNotRaised', 'its limit is in USD, not in EUR'),
  );
  await expect(run.raiseBudget({ cost: money(-1) })).rejects.toMatchObject(
    refused('InvalidMessage', '`cost.amount`: Expected a number of at least 0'),
  );
  await expect(run.raiseBudget({})).rejects.toMatchObject(refused('InvalidMessage', 'Expected a limit'));
  await run.approve(ask, { by: 'ann' });
  await run.result();
  await expect(run.raiseBudget({ cost: money(9) })).rejects.toMatchObject({ type: 'RunEnded' });
});

it('the share of a child agent is not raised there', async () => {
  scripts(model, {
    boss: [call('child', { input: 'x' }, usage(400, 100)), text('done', usage(400, 100))],
    child: [call('pay', { amount: 1 }, usage(400, 100)), text('paid', usage(400, 100))],
  });
  const run = await kit.start(boss, { input: 'go' });
  const ask = await asked(run);
  const handle = kit.client.get(`${run.id}/t1.1`);
  await expect(handle.raiseBudget({ tokens: 50_000 })).rejects.toMatchObject({
    message: expect.stringContaining(`its budget is a part of that of the run \`${run.id}\``),
  });
  await run.approve(ask, { by: 'ann' });
  expect(await run.result()).toMatchObject({ data: 'done' });
});

it('a model without prices is not chosen for a run with a budget in money', async () => {
  model.script(call('pay', { amount: 1 }, usage(400, 100)), text('done', usage(400, 100)));
  const run = await kit.start(payer, { input: 'go' });
  const ask = await asked(run);
  await expect(run.switchModel('free')).rejects.toMatchObject({ type: 'ModelUnpriced' });
  await expect(run.switchModel('euros')).rejects.toMatchObject({ type: 'ModelUnpriced' });
  await run.approve(ask, { by: 'ann' });
  await run.result();
});
