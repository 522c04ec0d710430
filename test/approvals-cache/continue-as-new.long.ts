import type { WorkflowHandle } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import { writeGrants } from '../../activities/approvals';
import type { Grant } from '../../agent/approvals/approval';
import { pay } from '../approvals/desk';
import { until } from '../until';

let kit: AgentTestEnvironment;
beforeAll(async () => {
  const agent = defineAgent({ name: 'test.desk', instructions: 'Help.', tools: { pay: pay('pay', 'always') } });
  kit = await createAgentTestEnvironment({ agents: [agent], server: 'dev' });
});
afterAll(() => kit.close());

const grant = (key: string): Grant => ({ tool: 'refund', key, allowed: true, by: 'ann', at: Date.now() });

async function cacheOf(agent: string, messagesPerRun?: number): Promise<WorkflowHandle> {
  return kit.temporal.client.workflow.start('holdfast.approvals', {
    workflowId: `holdfast.approvals/${agent}`,
    taskQueue: kit.taskQueue,
    args: messagesPerRun === undefined ? [] : [{ messagesPerRun }],
  });
}

const keysOf = async (agent: string) => (await kit.client.approvals(agent).list()).map(({ key }) => key);
const names = (prefix: string, length: number) => Array.from({ length }, (_, i) => `${prefix}${i}`);

test('hundreds of decisions and revocations across many continue-as-new: nothing is lost, nothing comes back', async () => {
  const cache = await cacheOf('test.many', 25);
  const { client } = kit.temporal;
  const environment = () => new MockActivityEnvironment({ taskQueue: kit.taskQueue }, { client });
  const write = (key: string) =>
    environment().run(writeGrants, { agent: 'test.many', owner: 'u1', grants: [grant(key)] });
  const approvals = kit.client.approvals('test.many');

  await Promise.all(names('gone', 100).map(write));
  await Promise.all([
    ...names('kept', 400).map(write),
    ...names('gone', 100).map((key) => approvals.revoke({ owner: 'u1', tool: 'refund', key })),
    ...names('wrong', 20).map((by) => cache.signal('setBatched', { by })),
  ]);

  const keys = await keysOf('test.many');
  expect(keys.filter((key) => key.startsWith('gone'))).toEqual([]);
  expect(keys.sort()).toEqual(names('kept', 400).sort());
  const { raw, runId } = await client.workflow.getHandle(cache.workflowId).describe();
  expect(raw.workflowExecutionInfo?.firstRunId).not.toBe(runId);
  const page = await client.workflow
    .getHandle(cache.workflowId)
    .query<{ currentDetails: string }, []>('__temporal_workflow_metadata');
  expect(page.currentDetails).toContain('remembers 400 decisions');
  expect(page.currentDetails).toContain('Ignored signals: 20.');
});

test('ten thousand decisions are carried over to the next run', async () => {
  const cache = await cacheOf('test.full', 11);
  for (let i = 0; i < 10; i++) {
    await cache.signal('setBatched', { grants: names(`k${i}-`, 1000).map(grant) });
  }
  const latest = kit.temporal.client.workflow.getHandle(cache.workflowId);
  const first = (await latest.describe()).runId;
  await cache.signal('setBatched', { grants: [grant('the last one')] });
  expect(await keysOf('test.full')).toHaveLength(10_000);
  expect(await keysOf('test.full')).toContain('the last one');
  expect((await latest.describe()).runId).not.toBe(first);
});

test('a new run begins by itself once it has taken megabytes', async () => {
  const cache = await cacheOf('test.long');
  const latest = kit.temporal.client.workflow.getHandle(cache.workflowId);
  const first = (await latest.describe()).runId;
  // The query waits for the task that a signal starts: otherwise several signals would share one task.
  const comment = 'x'.repeat(2000);
  const keys = names('k', 200);
  for (let i = 0; i < 12; i++) {
    await cache.signal('setBatched', { grants: keys.map((key) => ({ ...grant(key), at: i, comment })) });
    await keysOf('test.long');
  }
  await until(async () => (await latest.describe()).runId !== first, 'a new run');
  const kept = await kit.client.approvals('test.long').list();
  expect(kept.map(({ key, at }) => `${key} ${at}`)).toEqual(keys.map((key) => `${key} 11`));
});

test('signals that arrive before a run begins are taken in order, whatever their names', async () => {
  await kit.stopWorker();
  try {
    const cache = await cacheOf('test.order');
    await cache.signal('setBatched', { grants: [{ ...grant('a'), at: 1 }, grant('b')] });
    await cache.signal('nonsense');
    await cache.signal('revoke', { tool: 'refund' });
    await cache.signal('setBatched', { grants: [{ ...grant('a'), at: 2 }] });
  } finally {
    await kit.startWorker();
  }
  expect(await keysOf('test.order')).toEqual(['a']);
});
