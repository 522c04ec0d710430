import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { createWorker, type HoldfastWorker } from 'holdfast/worker';
import { z } from 'zod';
import { loadConfig } from '../../runtime/config/config';
import { expectWhole, outcomes } from '../services/stage';

const paid: string[] = [];
const pay = defineTool({
  description: 'Pays',
  inputSchema: z.object({}),
  approval: { when: () => false },
  execute: (_, { idempotencyKey = '' }) => void paid.push(idempotencyKey),
});
const shop = defineAgent({
  name: 'test.shop',
  tools: { pay },
  inputSchema: z.object({ n: z.number() }),
  contextBuilder: ({ input }) => ({ system: `shop ${(input as { n: number }).n}` }),
  outputBuilder: ({ content }) => ({ data: `shop: ${content}` }),
});
const other = defineAgent({ name: 'other.project' });

/** Both projects poll the default queue: each activity of a run reaches one of the two workers. */
let kit: AgentTestEnvironment;
let second: { worker: HoldfastWorker; ended: Promise<void> } | undefined;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [shop], server: 'dev' });
  const config = await loadConfig({ cwd: '/', env: {} });
  const { address } = kit.temporal;
  const worker = await createWorker({
    agents: [other],
    // A separate connection: the SDK lets one connection poll a queue only once.
    config: { ...config, temporal: { ...config.temporal, address } },
    taskQueue: kit.taskQueue,
    models: { default: { baseUrl: 'http://127.0.0.1:9/v1', model: 'of another project' } },
  });
  second = { worker, ended: worker.run() };
});
afterAll(async () => {
  second?.worker.shutdown();
  await second?.ended;
  await kit.close();
});

const RUNS = 4;

test('runs beside a worker of another project lose no call, and repeat none', async () => {
  kit.model.script(
    ...Array.from(
      { length: 2 * RUNS },
      () =>
        ({ request }: { request: unknown }) =>
          JSON.stringify(request).includes('"tool_call_id"') ? text('done') : call('pay', {}),
    ),
  );
  const runs = await Promise.all(Array.from({ length: RUNS }, (_, n) => kit.start(shop, { input: { n } })));
  const results = await Promise.all(runs.map((run) => run.result()));
  expect(results.map(({ data }) => data)).toEqual(results.map(() => 'shop: done'));
  expect(new Set(paid).size).toBe(RUNS);
  expect(paid).toHaveLength(RUNS);
  let missed = 0;
  for (const run of runs) {
    expect(await outcomes(run)).toEqual({ 't1.1': expect.not.stringContaining('ToolMissing') });
    const { events } = await kit.history(run);
    missed += (events ?? []).filter((event) => event.activityTaskFailedEventAttributes).length;
    await expectWhole(kit, run);
  }
  // Otherwise the other worker took none of them, and the test shows nothing.
  expect(missed).toBeGreaterThan(0);
});
