import { agentService, childWorkflow, defineAgent, defineContract } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment } from 'holdfast/testing';
import { z } from 'zod';
import { runLines, viewRun } from '../../../cli/show/run';
import { until } from '../../until';

const Stock = defineContract({
  type: 'stock.check',
  versions: { '1.0.0': { accepts: z.object({}), emits: { 'evt.stock.check.success': z.object({}) } } },
});
const clerk = defineAgent({
  name: 'unworked.clerk',
  services: { stock: childWorkflow(Stock, '1.0.0', { workflow: 'checkStock', taskQueue: 'stock' }) },
});
const boss = defineAgent({ name: 'unworked.boss', services: { clerk: agentService(clerk) } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [clerk, boss], server: 'dev' });
});
afterAll(() => kit.close());
beforeEach(() => kit.model.reset());

const WORDS =
  'The call of `stock` waits for the workflow `checkStock` (`ID/t1.1`), and no worker polls its task queue `stock`. Start the worker of this workflow there, or correct `taskQueue` of the service.';

test('a service whose task queue has no worker is named, with its workflow', async () => {
  kit.model.script(call('stock', {}));
  const run = await kit.start(clerk, { input: 'go' });
  const problem = WORDS.replace('ID', run.id);
  await until(async () => (await run.problem()) === problem, 'the service without a worker');
  const shown = runLines(await viewRun(kit.client.temporal, run.id, { workerTimeout: 20_000 }), false);
  expect(shown.join('\n')).toContain(problem);
  await run.cancel();
});

test('it is named for the run of an agent that waits for the one that called it', async () => {
  kit.model.script(call('clerk', {}), call('stock', {}));
  const run = await kit.start(boss, { input: 'go' });
  const below = `${run.id}/t1.1`;
  const problem = `The agent \`unworked.clerk\` works for this run, in the run \`${below}\`, and is held up. ${WORDS.replace('ID', below)}`;
  await until(async () => (await run.problem()) === problem, 'the service without a worker');
  await run.cancel();
});
