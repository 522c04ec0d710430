import { Client } from '@temporalio/client';
import { defineAgent, defineTool, eventService } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { QUERY } from '../../agent/protocol/queries';
import type { RunState } from '../../agent/state/run-state';
import { plain } from '../services/stage';
import { until } from '../until';

const look = defineTool({
  description: 'looks',
  inputSchema: z.object({ n: z.number() }),
  effect: 'read',
  execute: ({ n }) => `seen ${n}`,
});
const agent = defineAgent({
  name: 'test.over',
  tools: { look },
  services: { ask: eventService(plain, '1.0.0', { outlet: 'out' }) },
});

let kit: AgentTestEnvironment;
let temporal: Client;
beforeAll(async () => {
  const serverSettings = ['limit.historyCount.suggestContinueAsNew=40'];
  kit = await createAgentTestEnvironment({
    agents: [agent],
    outlets: { out: () => {} },
    server: 'dev',
    serverSettings,
  });
  const { connection, namespace } = kit.temporal;
  temporal = new Client({ connection, namespace: namespace ?? 'default' });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const TURNS = 12;

/** A run of several turns; `last` is the answer after them. */
async function begin(workflowId: string, last: ReturnType<typeof text>, more: object) {
  for (let n = 1; n <= TURNS; n++) kit.model.script(call('look', { n }));
  kit.model.script(last, text('again'), text('again'), text('again'));
  const run = temporal.workflow.getHandle(workflowId);
  const { firstExecutionRunId } = await temporal.workflow.start(agent.name, {
    ...{ workflowId, taskQueue: kit.taskQueue, args: [{ input: 'go' }] },
    ...more,
  });
  await until(() => kit.model.requests.length > TURNS, 'the last turn');
  const first = temporal.workflow.getHandle(workflowId, firstExecutionRunId);
  const { chainId } = await first.query<RunState>(QUERY.state);
  return { run, first, chainId };
}

/** The next run of a schedule, or the next attempt, has begun like the first. */
async function expectStartedOver(workflowId: string, chainId: string): Promise<void> {
  await until(() => kit.model.requests.length > TURNS + 1, 'the next beginning');
  const [first, next] = [kit.model.requests[0], kit.model.requests[TURNS + 1]];
  expect(next?.body.messages).toEqual(first?.body.messages);
  expect((await kit.client.get(workflowId).state()).chainId).not.toBe(chainId);
  const run = temporal.workflow.getHandle(workflowId);
  await expect(run.query(QUERY.chain)).resolves.toEqual([]);
  await expect(run.query(QUERY.facts, 0)).resolves.toMatchObject({ firstSeq: 1 });
}

test('after new histories an attempt of a retry policy starts over, with the input of the first', async () => {
  const retry = { initialInterval: '100ms', maximumAttempts: 20 };
  // Without an answer the time of the last history is over.
  const waits = call('ask', { sku: 'a' });
  const { run, first, chainId } = await begin('over-retry', waits, { retry, workflowRunTimeout: '8s' });
  expect((await first.describe()).status.name).toBe('CONTINUED_AS_NEW');
  await expectStartedOver('over-retry', chainId);
  await run.terminate().catch(() => undefined);
});

test('a run of a cron schedule stays in its history: in a new one its schedule would be lost', async () => {
  const { run, first, chainId } = await begin('over-cron', text('done'), { cronSchedule: '@every 1s' });
  try {
    await expectStartedOver('over-cron', chainId);
    expect((await first.describe()).status.name).toBe('COMPLETED');
  } finally {
    await run.terminate();
  }
});
