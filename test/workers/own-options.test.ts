import { defineAgent, defineTool } from 'holdfast';
import { AgentClient } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { createWorker, type HoldfastWorker, type WorkerOptions } from 'holdfast/worker';
import { z } from 'zod';
import { loadConfig } from '../../runtime/config/config';
import { SILENT_LOG } from '../../runtime/log';
import { makeCurrent } from '../deployments/make-current';

const pay = defineTool({
  description: 'Pays',
  inputSchema: z.object({ amount: z.number() }),
  approval: 'always',
  execute: ({ amount }, ctx) => {
    ctx.log.info({ amount }, 'paid');
    return 'paid';
  },
});
const clerk = defineAgent({ name: 'options.clerk', instructions: 'Pay.', tools: { pay } });

let kit: AgentTestEnvironment;
const open: { worker: HoldfastWorker; ended: Promise<void> }[] = [];
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [clerk], server: 'dev' });
});
afterEach(async () => {
  for (const { worker, ended } of open.splice(0)) {
    worker.shutdown();
    await ended;
  }
  kit.model.reset();
});
afterAll(() => kit.close());

/** Where the server of the kit is. */
const place = () => ({
  TEMPORAL_ADDRESS: kit.temporal.address,
  TEMPORAL_NAMESPACE: kit.client.temporal.options.namespace,
});

/** A worker as a user makes one, on the server and with the model of the kit. */
async function startWorker(options: WorkerOptions): Promise<void> {
  const config = await loadConfig({ cwd: '/', env: place() });
  const worker = await createWorker({
    agents: [clerk],
    config: { ...config, worker: { ...config.worker, shutdownGrace: 100 } },
    models: { default: { baseUrl: kit.model.url, model: 'scripted', apiKey: 'none' } },
    logger: SILENT_LOG,
    ...options,
  });
  open.push({ worker, ended: worker.run() });
}

async function payOn(taskQueue: string, id: string) {
  kit.model.script(call('pay', { amount: 3 }), text('done'));
  const run = await kit.start(clerk, { id, input: 'pay 3', taskQueue });
  return { run, ask: (await run.waiting({ atLeast: { approvals: 1 } })).approvals[0] };
}

it('passes interceptors, a tuner and a logger on', async () => {
  const seen: string[] = [];
  const logged: [object, string | undefined][] = [];
  const write = (fields: object, entry?: string) => void logged.push([fields, entry]);
  const slots = { type: 'fixed-size' as const, numSlots: 3 };
  await startWorker({
    taskQueue: 'tuned',
    logger: { debug: write, info: write, warn: write, error: write },
    temporal: {
      interceptors: {
        activity: [
          ({ info }) => ({
            inbound: {
              execute(input, next) {
                seen.push(info.activityType);
                return next(input);
              },
            },
          }),
        ],
      },
      tuner: {
        workflowTaskSlotSupplier: slots,
        activityTaskSlotSupplier: slots,
        localActivityTaskSlotSupplier: slots,
        nexusTaskSlotSupplier: slots,
      },
    },
  });
  const { run, ask } = await payOn('tuned', 'tuned-1');
  await run.approve(ask, { by: 'ann' });
  expect((await run.result()).data).toBe('done');
  expect(seen).toEqual(expect.arrayContaining(['holdfast.describeAgent', 'holdfast.callModel', 'pay']));
  expect(logged).toContainEqual([expect.objectContaining({ amount: 3 }), 'paid']);
});

it('reports what Temporal refuses in its options', async () => {
  const refused = startWorker({
    taskQueue: 'refused',
    temporal: { stickyQueueScheduleToStartTimeout: 'soon' as never },
  });
  await expect(refused).rejects.toMatchObject({
    type: 'InvalidDefinition',
    data: { place: 'temporal' },
    message: expect.stringContaining('soon'),
  });
});

it('gives the client interceptors and an identity', async () => {
  const started: string[] = [];
  const config = await loadConfig({ cwd: '/', env: place() });
  const client = await AgentClient.connect({
    config,
    taskQueue: kit.taskQueue,
    temporal: {
      identity: 'shop-front',
      interceptors: {
        workflow: [
          {
            startWithDetails(input, next) {
              started.push(input.workflowType);
              return next(input);
            },
          },
        ],
      },
    },
  });
  kit.model.script(text('hello'));
  const run = await client.start(clerk, { id: 'front-1', input: 'hi' });
  expect((await run.result()).data).toBe('hello');
  expect(started).toEqual(['options.clerk']);
  const [first] = (await kit.history(run)).events ?? [];
  expect(first?.workflowExecutionStartedEventAttributes?.identity).toBe('shop-front');
  await client.close();
});

async function versionOf(id: string): Promise<string | undefined> {
  const { raw } = await kit.client.get(id).workflow.describe();
  const { deploymentVersion } = raw.workflowExecutionInfo?.versioningInfo ?? {};
  return deploymentVersion?.buildId ?? undefined;
}

it.each([
  { versioning: 'pinned', where: 'a new history' },
  { versioning: 'auto-upgrade', where: 'its history' },
] as const)(
  'a run of a $versioning deployment goes on under the next version, in $where',
  async ({ versioning, where }) => {
    const name = `shop-${versioning}`;
    const deploy = async (buildId: string) => {
      await startWorker({ taskQueue: name, deployment: { name, buildId, versioning } });
      await makeCurrent(kit.temporal.client, { deploymentName: name, buildId, taskQueue: name });
    };
    await deploy('one');
    const { run, ask } = await payOn(name, `run-${versioning}`);
    expect(await versionOf(run.id)).toBe('one');
    await deploy('two');
    await run.approve(ask, { by: 'ann' });
    expect((await run.result()).data).toBe('done');
    expect(await versionOf(run.id)).toBe('two');
    const [first] = (await kit.history(run)).events ?? [];
    const before = first?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? '';
    expect(before === '' ? 'its history' : 'a new history').toBe(where);
  },
);
