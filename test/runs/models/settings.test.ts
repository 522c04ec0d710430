import { defineAgent, defineTool } from 'holdfast';
import {
  type AgentTestEnvironment,
  call,
  createAgentTestEnvironment,
  fault,
  ScriptedModel,
  text,
} from 'holdfast/testing';
import { z } from 'zod';
import type { ServerModel } from '../../../agent/model/config';
import { factsOf } from '../../facts';

const lookup = defineTool({
  description: 'Find an order',
  effect: 'read',
  inputSchema: z.object({ id: z.string() }),
  execute: ({ id }) => `order ${id}`,
});
const tools = { lookup };
const forced = defineAgent({
  name: 'settings.forced',
  mode: 'conversation',
  modelSettings: { toolChoice: 'required', extraHeaders: { 'X-Key': 'agent-key-1234' }, extraBody: { top_k: 4 } },
  tools,
});
const byAlias = defineAgent({ name: 'settings.alias', model: 'strict', tools });
const paid = defineAgent({ name: 'settings.paid', model: 'paid', tools });
const mixed = defineAgent({ name: 'settings.mixed', model: ['paid', 'default'] });

const model = new ScriptedModel();
let kit: AgentTestEnvironment;
beforeAll(async () => {
  await model.start();
  const config: ServerModel = { baseUrl: model.url, model: 'scripted' };
  kit = await createAgentTestEnvironment({
    agents: [forced, byAlias, paid, mixed],
    models: {
      default: config,
      strict: { ...config, toolChoice: { tool: 'lookup' } },
      paid: { ...config, prices: ({ prompt, completion }) => (prompt + 2 * completion) / 1000 },
    },
  });
});
afterAll(async () => {
  await kit.close();
  await model.close();
});
afterEach(() => model.reset());

const choices = () => model.requests.map(({ body }) => body.tool_choice);
const usage = (prompt: number, completion: number) => ({ usage: { prompt, completion } });

it('a forced call is forced once in each exchange', async () => {
  model.script(call('lookup', { id: 'o1' }), text('sent'), call('lookup', { id: 'o2' }), text('lost'));
  const chat = await kit.start(forced, { input: null });
  for (const message of ['where is o1?', 'and o2?']) await chat.answerTo(await chat.send(message));
  await chat.close();
  await chat.result();
  expect(choices()).toEqual(['required', undefined, 'required', undefined]);
  for (const { body, headers } of model.requests) {
    expect(body).toMatchObject({ top_k: 4 });
    expect(headers).toMatchObject({ 'x-key': 'agent-key-1234' });
  }
  const { events } = await kit.history(chat);
  const stored = events?.flatMap(({ activityTaskCompletedEventAttributes: it }) => it?.result?.payloads ?? []) ?? [];
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.map(({ data }) => Buffer.from(data ?? []).toString()).join()).not.toContain('agent-key');
  await kit.replay(chat);
});

it('an alias may force a certain tool', async () => {
  model.script(call('lookup', { id: 'o1' }), text('sent'));
  await (await kit.start(byAlias, { input: 'where is o1?' })).result();
  expect(choices()).toEqual([{ type: 'function', function: { name: 'lookup' } }, undefined]);
});

it('the result has the money of all calls, attempts that broke off included', async () => {
  model.script(
    call('lookup', { id: 'o1' }, usage(100, 10)),
    fault({ kind: 'cut', after: 20 }, { text: 'x'.repeat(40) }),
    text('sent', usage(200, 20)),
  );
  const run = await kit.start(paid, { input: 'where is o1?' });
  const { cost, executionUnits, usage: all } = await run.result();
  const facts = await factsOf(run, 'usage');
  expect(facts).toMatchObject([
    { usage: { prompt: 100, completion: 10 }, cost: { amount: 0.12, currency: 'USD' } },
    { usage: { completion: 25, estimated: true }, cost: { currency: 'USD' } },
  ]);
  expect(all).toEqual({ prompt: 100 + (facts[1]?.usage.prompt ?? 0), completion: 35, estimated: true });
  expect(cost?.amount).toBeCloseTo((all.prompt + 2 * all.completion) / 1000, 10);
  expect(executionUnits).toBeCloseTo(cost?.amount ?? 0, 10);
  expect((await run.state()).cost).toEqual(cost);
  expect(await factsOf(run, 'loop.end')).toMatchObject([{ cost }]);
  await kit.replay(run);
});

it('the result has no money if only models without prices answered', async () => {
  model.script(fault({ kind: 'status', status: 401 }), text('sent', usage(5, 1)));
  const run = await kit.start(mixed, { input: 'hi' });
  const result = await run.result();
  expect(result).toMatchObject({ usage: { prompt: 5, completion: 1 }, executionUnits: 6 });
  expect(result).not.toHaveProperty('cost');
});
