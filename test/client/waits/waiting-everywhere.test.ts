import { defineAgent, defineTool } from 'holdfast';
import { AgentClient, RemoteClient } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { findWaiting } from '../../../cli/inbox/list';
import { until } from '../../until';
import { serveKit, TOKEN } from '../gateway/kit';

const agent = defineAgent({
  name: 'test.payer',
  instructions: 'Pay.',
  tools: {
    pay: defineTool({
      description: 'Pay',
      inputSchema: z.object({}),
      approval: 'always',
      execute: async () => 'paid',
    }),
  },
});

/** Milliseconds that runs without a worker may take altogether. */
const LIMIT = 3000;
const SILENT = 200;
let kit: AgentTestEnvironment;
let client: AgentClient;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent], server: 'dev' });
  client = new AgentClient(kit.client.temporal, { workerTimeout: LIMIT });
});
afterAll(() => kit.close());

/** Runs that wait for a person, on a queue that no worker polls. */
async function startSilent(name: string, count: number): Promise<void> {
  const start = (i: number) =>
    kit.client.temporal.workflow.start('test.payer', {
      workflowId: `${name}-${i}`,
      taskQueue: 'without-workers',
      searchAttributes: { HoldfastAgent: ['test.payer'], HoldfastAwaiting: ['approval'], HoldfastOwner: [name] },
    });
  await Promise.all(Array.from({ length: count }, (_, i) => start(i)));
}

test('many runs without a worker share one time limit, are counted, and hide no run that answers', async () => {
  kit.model.script(call('pay'), text('Paid.'));
  const run = await kit.start(agent, { input: 'Go' });
  await run.waiting({ atLeast: { approvals: 1 } });
  // Lists begin with the newest: all of these come before it.
  await startSilent('silent', SILENT);
  let listed = 0;
  await until(async () => {
    listed = (await kit.client.temporal.workflow.count("HoldfastAwaiting = 'approval'")).count;
    return listed === SILENT + 1;
  }, 'the list of the server');
  const started = performance.now();
  const found = await client.waiting();
  const took = performance.now() - started;
  expect(found.approvals.map(({ id }) => id)).toEqual([run.id]);
  expect(found).toMatchObject({ questions: [], unanswered: SILENT });
  // One after the other, 20 at once, they would take ten times the limit.
  expect(took).toBeLessThan(4 * LIMIT);
  const gateway = await serveKit(client, { agents: [agent], workerTimeout: LIMIT });
  try {
    const remote = await RemoteClient.connect({ url: gateway.url, token: TOKEN });
    expect(await findWaiting(remote, { owner: 'none' })).toEqual({ waiting: [], unanswered: SILENT });
    expect(await findWaiting(remote, {})).toMatchObject({ waiting: [{ id: run.id }], unanswered: SILENT });
  } finally {
    await gateway.close();
  }
  expect(await client.waiting({ owner: 'none' })).toEqual({ approvals: [], questions: [], unanswered: 0 });
});
