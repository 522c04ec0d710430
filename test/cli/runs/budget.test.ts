import { defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, ScriptedModel, text } from 'holdfast/testing';
import { z } from 'zod';
import { agent, modelsOf, money, usage } from '../../budgets/stage/stage';
import { holdfastAt, type Printed } from '../at-terminal';
import { type Project, projectOf } from '../project';

const read = defineTool({
  description: 'Reads a document',
  effect: 'once',
  approval: 'always',
  inputSchema: z.object({ page: z.number() }),
  execute: ({ page }) => `page ${page}`,
});
const budget = { cost: money(2), tokens: 20_000 };
const reader = agent('reader', { tools: { read }, modelSettings: { maxTokens: 100 }, budget });

const model = new ScriptedModel();
let kit: AgentTestEnvironment;
let project: Project;
beforeAll(async () => {
  await model.start();
  kit = await createAgentTestEnvironment({ agents: [reader], models: modelsOf(model), server: 'dev' });
  project = projectOf(kit);
});
afterAll(async () => {
  await kit.close();
  await model.close();
  project.remove();
});

const holdfast = (...args: string[]): Promise<Printed> => holdfastAt('pipe', '--config', project.config, ...args);

test('the budget of a run is shown, raised, and told', async () => {
  model.script(
    call('read', { page: 1 }, usage(1560, 60)),
    call('read', { page: 2 }, usage(820, 60)),
    text('Two pages.', usage(240, 20)),
  );
  const run = await kit.start(reader, { id: 'report-7', input: 'Read it.' });
  const approve = async () => {
    const { approvals } = await run.waiting({ atLeast: 1 });
    for (const ask of approvals) await run.approve(ask, { by: 'ann' });
  };
  await run.waiting({ atLeast: 1 });
  expect((await holdfast('show', 'report-7')).out).toContain('0.38 USD left');
  expect(await holdfast('raise-budget', 'report-7', '--cost', '3 USD', '--by', 'ann')).toEqual({
    ...{ code: 0, out: 'report-7 may use 20,000 tokens, 3 USD\n', err: '' },
  });
  expect(await holdfast('raise-budget', 'report-7', '--cost', '2 dollars')).toMatchObject({
    ...{ code: 2, err: expect.stringMatching(/Expected an amount and a currency, such as "2.5 USD"/) },
  });
  expect(await holdfast('raise-budget', 'report-7', '--model-calls', '3')).toMatchObject({
    ...{ code: 1, err: expect.stringMatching(/it has no limit for `modelCalls`/) },
  });
  await approve();
  await approve();
  await run.result();
  const { out } = await holdfast('tail', 'report-7', '--verbose');
  expect(out).toMatch(/budget\.soft +money: 2\.5 USD of 3 USD: the model is told to finish/);
  expect(out).toMatch(/budget\.raised +the run may use 20,000 tokens, 3 USD, raised by ann/);
});
