import { defineAgent, defineTool, signalService } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { plain } from '../services/stage';
import { until } from '../until';

const look = defineTool({
  description: 'Looks',
  effect: 'read',
  placement: 'inline',
  inputSchema: z.object({}),
  execute: () => 'seen',
});
const refund = defineTool({
  description: 'Pays back',
  inputSchema: z.object({ amount: z.number() }),
  approval: { when: ({ amount }) => amount > 5, rememberBy: ({ amount }) => String(amount) },
  execute: () => 'paid',
  undo: () => 'taken back',
});

const agent = defineAgent({
  name: 'test.queried',
  tools: { look, refund },
  services: { ask: signalService(plain, '1.0.0') },
});

const RUNS = 2;

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent], server: 'dev' });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

/** Queries the run without a pause during `work`, as a page that shows it would. */
async function whileQueried<T>(run: RunHandle<unknown>, work: () => Promise<T>): Promise<T> {
  let over = false;
  const handle = kit.temporal.client.workflow.getHandle(run.id);
  const asking = (async () => {
    while (!over) await handle.query('holdfast.pending').catch(() => undefined);
  })();
  try {
    return await work();
  } finally {
    over = true;
    await asking;
  }
}

/** Sends plain signals while the run works, then replays it. */
function replayed(name: string, asked: Parameters<typeof calls>, deeds: (run: RunHandle<unknown>) => Promise<void>) {
  it(name, async () => {
    for (let i = 0; i < RUNS; i++) {
      kit.model.script(calls(...asked), calls(['look', {}], ['look', {}]), text('done'));
      const run = (await kit.start(agent, { input: 'go' })) as RunHandle<unknown>;
      await whileQueried(run, async () => {
        await deeds(run);
        expect((await run.result()).data).toBe('done');
      });
      await kit.replay(run);
      kit.model.reset();
    }
  });
}

const signal = (run: RunHandle<unknown>, name: string, payload: unknown) =>
  kit.temporal.client.workflow.getHandle(run.id).signal<[unknown]>(name, payload);

replayed(
  'queries change nothing while services are answered one by one',
  [
    ['ask', { sku: 'a' }],
    ['ask', { sku: 'b' }],
  ],
  async (run) => {
    await run.waiting({ atLeast: { services: 2 } });
    await signal(run, 'toolResult', { toolUseId: 't1.1', data: 1 });
    await until(async () => (await run.waiting()).services.length === 1, 'the first answer to be taken');
    await signal(run, 'steer', { text: 'only in blue' });
    await signal(run, 'toolResult', { toolUseId: 't1.2', data: 2 });
  },
);

replayed(
  'queries change nothing while calls are approved, edited and denied',
  [
    ['refund', { amount: 9 }],
    ['refund', { amount: 1 }],
    ['refund', { amount: 8 }],
    ['refund', { amount: 7 }],
  ],
  async (run) => {
    await run.waiting({ atLeast: { approvals: 3 } });
    await signal(run, 'edit', { toolUseId: 't1.1', by: 'ann', input: { amount: 'much' } });
    await signal(run, 'edit', { toolUseId: 't1.1', by: 'ann', input: { amount: 3 } });
    await signal(run, 'approve', { toolUseId: 't1.3', by: 'ann', remember: 'run' });
    await signal(run, 'deny', { toolUseId: 't1.4', by: 'ann' });
  },
);
