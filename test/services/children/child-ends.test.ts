import { childWorkflow, defineAgent } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { until } from '../../until';
import { type PlainWorker, startPlainWorker } from '../plain-worker';
import { endOf, expectWhole, outcomes, stock } from '../stage';

const child = (workflow: string, more: Partial<Parameters<typeof childWorkflow>[2]> = {}) =>
  childWorkflow(stock, '1.0.0', { workflow, taskQueue: 'stock', ...more });

const agent = defineAgent({
  name: 'test.ends',
  services: {
    waits: child('waits'),
    deaf: child('ignoresACancel'),
    hurried: child('ignoresACancel', { timeout: '1s' }),
    unknown: child('nobodyKnowsIt', { timeout: '1s' }),
    unpolled: child('waits', { timeout: '1s', taskQueue: 'without-workers' }),
    killed: child('ignoresACancel', { parentClosePolicy: 'terminate' }),
    spared: child('waits', { parentClosePolicy: 'abandon' }),
    tidy: child('cleansUp'),
    late: child('runsOutOfTime'),
  },
});

let kit: AgentTestEnvironment;
let worker: PlainWorker;
// A real server: the other one does not report that a child was terminated, sometimes not that one timed out, and waits
// for workers that never start.
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent], server: 'dev' });
  worker = await startPlainWorker(kit, 'stock');
});
afterAll(async () => {
  await worker.stop();
  await kit.close();
});
afterEach(() => kit.model.reset());

async function asking(...services: string[]): Promise<RunHandle<string>> {
  kit.model.script(
    calls(...services.map((service): [string, { sku: string }] => [service, { sku: 'a' }])),
    text('done'),
  );
  return kit.start(agent, { input: 'go' });
}

const childOf = (run: RunHandle<unknown>, nth = 1) => kit.temporal.client.workflow.getHandle(`${run.id}/t1.${nth}`);
const statusOf = async (run: RunHandle<unknown>, nth = 1) =>
  (
    await childOf(run, nth)
      .describe()
      .catch(() => undefined)
  )?.status.name;
const began = (run: RunHandle<unknown>, nth = 1) =>
  until(async () => (await statusOf(run, nth)) === 'RUNNING', `child ${nth}`);

test('a child that its own server stops for its time limit is an error that says so', async () => {
  const run = await asking('late');
  expect(await endOf(run)).toBe('done');
  await expectWhole(kit, run);
  expect((await outcomes(run))['t1.1']).toBe('ServiceTimedOut: `late` exceeded the time limit of its own server.');
});

test('a child that another client terminates, or cancels, is an error that says so', async () => {
  const run = await asking('waits', 'waits');
  await began(run, 1);
  await began(run, 2);
  await childOf(run, 1).terminate('enough');
  await childOf(run, 2).cancel();
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({
    't1.1': 'ServiceFailed: `waits` was terminated.',
    't1.2': 'ServiceCancelled: `waits` was cancelled by another client.',
  });
  await expectWhole(kit, run);
});

test('children that no worker runs, or that ignore a cancel, are given up in time', async () => {
  const run = await asking('hurried', 'unknown', 'unpolled');
  expect(await endOf(run)).toBe('done');
  const told = await outcomes(run);
  expect(told).toEqual({
    't1.1': 'ServiceTimedOut: `hurried` gave no answer within 1 s.',
    't1.2': 'ServiceTimedOut: `unknown` gave no answer within 1 s.',
    't1.3': 'ServiceTimedOut: `unpolled` gave no answer within 1 s.',
  });
  await expectWhole(kit, run);
});

test('a run that is cancelled cancels its children, terminates them or lets them live, and does not wait', async () => {
  const run = await asking('waits', 'deaf', 'killed', 'spared', 'tidy');
  for (const nth of [1, 2, 3, 4, 5]) await began(run, nth);
  await run.cancel();
  expect(await endOf(run)).toBe('Cancelled');
  expect((await run.workflow.describe()).status.name).toBe('CANCELLED');
  expect(Object.values(await outcomes(run)).sort()).toEqual([
    'ToolCancelled: `deaf` was cancelled.',
    'ToolCancelled: `killed` was cancelled.',
    'ToolCancelled: `spared` was cancelled.',
    'ToolCancelled: `tidy` was cancelled.',
    'ToolCancelled: `waits` was cancelled.',
  ]);
  await expectWhole(kit, run);
  await until(async () => (await statusOf(run, 1)) === 'CANCELLED', 'the child that stops');
  await until(async () => (await statusOf(run, 3)) === 'TERMINATED', 'the child that is killed');
  for (const nth of [2, 4, 5]) expect(await statusOf(run, nth)).toBe('RUNNING');
  const asked = (await childOf(run, 5).fetchHistory()).events ?? [];
  expect(asked.filter((event) => event.workflowExecutionCancelRequestedEventAttributes)).toHaveLength(1);
  const spared = (await childOf(run, 4).fetchHistory()).events ?? [];
  expect(spared.filter((event) => event.workflowExecutionCancelRequestedEventAttributes)).toEqual([]);
});

test('a run that is terminated handles its children by their policy', async () => {
  const run = await asking('waits', 'killed', 'spared');
  for (const nth of [1, 2, 3]) await began(run, nth);
  await run.workflow.terminate();
  await until(async () => (await statusOf(run, 1)) === 'CANCELLED', 'the child that stops');
  await until(async () => (await statusOf(run, 2)) === 'TERMINATED', 'the child that is killed');
  expect(await statusOf(run, 3)).toBe('RUNNING');
});

test('a run that is cancelled before its child has begun leaves none behind', async () => {
  kit.model.script(call('waits', { sku: 'a' }));
  const run = await kit.start(agent, { input: 'go' });
  await run.waiting({ atLeast: { services: 1 } });
  await run.cancel();
  expect(await endOf(run)).toBe('Cancelled');
  await expectWhole(kit, run);
  await until(async () => (await statusOf(run)) !== 'RUNNING', 'the end of the child');
});
