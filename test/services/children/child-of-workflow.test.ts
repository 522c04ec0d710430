import { defineAgent, defineContract, signalService } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { until } from '../../until';
import { type PlainWorker, startPlainWorker } from '../plain-worker';
import { outcomes } from '../stage';

const stock = defineContract({
  type: 'stock.count',
  versions: {
    '1.0.0': {
      accepts: z.object({ sku: z.string() }),
      emits: {
        'evt.stock.count.done': z.object({ left: z.number() }),
        'evt.stock.count.guessed': z.object({ guess: z.number() }),
      },
    },
  },
});
const triage = defineAgent({
  name: 'support.triage',
  inputSchema: z.object({ mail: z.string() }),
  outputSchema: z.object({ queue: z.string() }),
  services: { count: signalService(stock, '1.0.0') },
});

let kit: AgentTestEnvironment;
let worker: PlainWorker;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [triage] });
  worker = await startPlainWorker(kit, 'own');
});
afterAll(async () => {
  await worker.stop();
  await kit.close();
});
afterEach(() => kit.model.reset());

const start = (workflowId: string, input: unknown) =>
  kit.temporal.client.workflow.start('handleMail', { workflowId, taskQueue: 'own', args: [kit.taskQueue, input] });

/** Until the run waits for its service; before that there may be no run. */
const callsService = (run: Pick<RunHandle, 'waiting'>) =>
  until(async () => (await run.waiting().catch(() => undefined))?.services.length === 1, 'the call of the service');

test("an agent is a child of a user's own workflow on another task queue, and returns its result", async () => {
  kit.model.script(text('{"queue":"billing"}'));
  const handle = await start('mail-1', { input: { mail: 'hello' }, owner: 'ann' });
  expect(await handle.result()).toMatchObject({ data: { queue: 'billing' }, usage: { prompt: expect.any(Number) } });
  expect(await kit.client.get('mail-1/triage').state()).toMatchObject({ status: 'completed', owner: 'ann' });
});

test('a failed child has the type of the error', async () => {
  const handle = await start('mail-2', { input: { letter: 'hello' } });
  expect(await handle.result()).toMatchObject({ failed: 'InvalidInput', message: expect.stringContaining('mail') });
});

test('a cancel of the workflow cancels the agent', async () => {
  kit.model.script(call('count', { sku: 'a' }));
  const handle = await start('mail-3', { input: { mail: 'hello' } });
  const run = kit.client.get('mail-3/triage');
  await callsService(run);
  await handle.cancel();
  // Not by `result`, which skips to the end of the workflow's own time.
  await until(async () => (await handle.describe()).status.name !== 'RUNNING', 'the cancel of both');
  await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
  await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
});

test.each([
  ['signalled as plain data', { left: 3 }, 'evt.stock.count.done'],
  ['of the second answer', { guess: 3 }, 'evt.stock.count.guessed'],
])('with several answers the model is told which one came (%s)', async (_, data, type) => {
  kit.model.script(call('count', { sku: 'a' }), text('{"queue":"x"}'));
  const run = await kit.start(triage, { input: { mail: 'hello' } });
  await callsService(run);
  await kit.client.completeCall(run.id, 't1.1', { data });
  await run.result();
  expect(await outcomes(run)).toEqual({ 't1.1': `Event: ${type}${JSON.stringify(data)}` });
});

test('the memo of an ended run does not say that it waits', async () => {
  kit.model.script(call('count', { sku: 'a' }), text('{"queue":"x"}'));
  const run = await kit.start(triage, { input: { mail: 'hello' } });
  await callsService(run);
  const memo = async () => (await kit.temporal.client.workflow.getHandle(run.id).describe()).memo;
  expect(await memo()).toMatchObject({ holdfastWaits: ['t1.1 count'] });
  await run.cancel();
  await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
  expect((await memo())?.holdfastWaits ?? []).toEqual([]);
});
