import { defineAgent, defineTool, signalService } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf, waitForFact } from '../facts';
import { endOf, expectWhole, outcomes, plain, stock } from './stage';

const agent = defineAgent({
  name: 'test.signals',
  services: { ask: signalService(plain, '1.0.0'), named: signalService(stock, '1.0.0') },
  tools: {
    look: defineTool({ description: 'Looks', effect: 'read', inputSchema: z.object({}), execute: () => 'seen' }),
  },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

async function asking(...all: Parameters<typeof calls>): Promise<RunHandle<unknown>> {
  kit.model.script(calls(...all), text('done'));
  const run = (await kit.start(agent, { input: 'go' })) as RunHandle<unknown>;
  await run.waiting({ atLeast: { services: 1 } });
  return run;
}

/** As with Temporal alone. */
const signal = (run: RunHandle<unknown>, ...payload: unknown[]) =>
  kit.temporal.client.workflow.getHandle(run.id).signal('toolResult', ...(payload as [unknown]));

test('a plain Temporal client answers with data, or with an error', async () => {
  const run = await asking(
    ['ask', { sku: 'a' }],
    ['ask', { sku: 'b' }],
    ['ask', { sku: 'c' }],
    ['ask', { sku: 'd' }],
    ['named', { sku: 'e' }],
  );
  expect((await run.waiting()).services.map(({ toolUseId, input }) => [toolUseId, input])).toEqual([
    ['t1.1', { sku: 'a' }],
    ['t1.2', { sku: 'b' }],
    ['t1.3', { sku: 'c' }],
    ['t1.4', { sku: 'd' }],
    ['t1.5', { sku: 'e' }],
  ]);
  await signal(run, { toolUseId: 't1.2', error: 'no one is there' });
  await signal(run, { toolUseId: 't1.1', data: { left: 3 } });
  await signal(run, { toolUseId: 't1.3', data: 'three' });
  await signal(run, { toolUseId: 't1.4', error: { code: 7 } });
  await signal(run, { toolUseId: 't1.5', data: { left: 5 }, error: null });
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({
    't1.1': '{"left":3}',
    't1.2': 'ServiceFailed: `ask` failed: no one is there',
    't1.3': expect.stringMatching(/^InvalidAnswer: The answer of `ask` breaks its contract: /),
    't1.4': 'ServiceFailed: `ask` failed: {"code":7}',
    't1.5': '{"left":5}',
  });
  expect((await run.state()).ignored).toEqual({});
  await expectWhole(kit, run);
});

test('invalid payloads are counted and recorded, and never fatal', async () => {
  const run = await asking(['ask', { sku: 'a' }], ['look'], ['ask', { sku: 'b' }]);
  await waitForFact(run, 'tool.result');
  const wrong: unknown[][] = [
    [],
    [null],
    ['t1.1'],
    [17],
    [[{ toolUseId: 't1.1', data: 1 }]],
    [{}],
    [{ toolUseId: 't1.1' }],
    [{ toolUseId: 7, data: { left: 3 } }],
    [{ toolUseId: 't1.1', data: { left: 3 }, error: 'both' }],
    [{ data: { left: 3 } }],
  ];
  for (const payload of wrong) await signal(run, ...payload);
  await signal(run, { toolUseId: 't9.9', data: { left: 3 } });
  await signal(run, { toolUseId: '__proto__', data: { left: 3 } });
  await signal(run, { toolUseId: 'x'.repeat(5000), data: { left: 3 } });
  await signal(run, { toolUseId: 't1.2', data: { left: 3 } });
  await signal(run, { toolUseId: 't1.1', data: { left: 3 } }, 'more');
  await signal(run, { toolUseId: 't1.1', data: { left: 4 } });
  await signal(run, { toolUseId: 't1.3', data: { left: 5 } });
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({ 't1.1': '{"left":3}', 't1.2': 'seen', 't1.3': '{"left":5}' });
  const { ignored } = await run.state();
  expect(ignored).toEqual({ InvalidToolResult: wrong.length, StrangeAnswer: 3, LateAnswer: 1, DoubleAnswer: 1 });
  const told = await factsOf(run, 'message.ignored');
  expect(told).toHaveLength(wrong.length + 5);
  for (const one of told) expect(JSON.stringify(one).length).toBeLessThan(1000);
  await expectWhole(kit, run);
});

test('an answer may arrive before the run has made its call: it counts as unknown', async () => {
  const { client } = kit.temporal;
  kit.model.script(calls(['ask', { sku: 'a' }]), text('done'));
  const args = [{ input: 'go' }];
  const early = { signal: 'toolResult', signalArgs: [{ toolUseId: 't1.1', data: { left: 1 } }] };
  const options = { workflowId: 'early', taskQueue: kit.taskQueue, args, ...early };
  await client.workflow.signalWithStart(agent.name, options as never);
  const run = kit.client.get('early');
  await run.waiting({ atLeast: { services: 1 } });
  await signal(run, { toolUseId: 't1.1', data: { left: 3 } });
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({ 't1.1': '{"left":3}' });
  expect((await run.state()).ignored).toEqual({ StrangeAnswer: 1 });
  await kit.replay(run);
});

test('an answer that is too large to be kept is an error', async () => {
  const run = await asking(['ask', { sku: 'a' }], ['ask', { sku: 'b' }]);
  await signal(run, { toolUseId: 't1.1', data: { left: 3, text: 'x'.repeat(1_500_000) } });
  await signal(run, { toolUseId: 't1.2', error: 'y'.repeat(500_000) });
  expect(await endOf(run)).toBe('done');
  const told = await outcomes(run);
  expect(told['t1.1']).toMatch(/^ResultTooLarge: /);
  expect(told['t1.2']?.length).toBeLessThan(2100);
  await expectWhole(kit, run);
});

test('an answer that names one call and carries the key of another answers neither', async () => {
  const run = await asking(['ask', { sku: 'a' }], ['ask', { sku: 'b' }]);
  const { chainId, batch } = await run.state();
  const [, other] = batch;
  const idempotencyKey = `${chainId}/${other?.hash.slice(0, 32)}/t1.2`;
  await signal(run, { toolUseId: 't1.1', idempotencyKey, data: { left: 1 } });
  expect((await run.state()).ignored).toEqual({ StrangeAnswer: 1 });
  await signal(run, { toolUseId: 't1.1', data: { left: 1 } });
  await signal(run, { toolUseId: 't1.2', idempotencyKey, data: { left: 2 } });
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({ 't1.1': '{"left":1}', 't1.2': '{"left":2}' });
});
