import { type Agent, agentService, type Ctx, defineAgent, defineTool, signalService } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import type { ModelReply } from '../kit/model-reply';
import { until } from '../until';
import { endOf, expectWhole, outcomes, plain } from './stage';

const seen: Pick<Ctx, 'id' | 'owner' | 'metadata' | 'delegatedBy' | 'selfInfo'>[] = [];
const note = defineTool({
  description: 'Notes who it works for',
  effect: 'read',
  inputSchema: z.object({}),
  execute: (_input, { id, owner, metadata, delegatedBy, selfInfo }) => {
    seen.push({ id, metadata, selfInfo, ...(owner ? { owner } : {}), ...(delegatedBy ? { delegatedBy } : {}) });
    return 'noted';
  },
});

const legal = defineAgent({
  name: 'test.legal',
  description: 'Knows the law',
  inputSchema: z.object({ text: z.string() }),
  instructions: 'legal',
  tools: { note },
  services: { ask: signalService(plain, '1.0.0') },
});
const sorter = defineAgent({
  name: 'test.sorter',
  inputSchema: z.object({ text: z.string(), parentSubject$$: z.string().nullable() }),
  outputSchema: z.object({ queue: z.enum(['billing', 'tech']) }),
  instructions: 'sorter',
});
/** Stands for an agent that is defined further down. */
const named = (name: string) => agentService(defineAgent({ name, instructions: name }));
const ping = defineAgent({
  name: 'test.ping',
  instructions: 'ping',
  services: { pong: named('test.pong'), self: named('test.ping') },
});
const pong = defineAgent({ name: 'test.pong', instructions: 'pong', services: { ping: named('test.ping') } });
const deep = [...Array(9).keys()].map((i) =>
  defineAgent({ name: `test.deep${i}`, instructions: `deep${i}`, services: { next: named(`test.deep${i + 1}`) } }),
);
const shop = defineAgent({
  name: 'test.shop',
  instructions: 'shop',
  services: {
    legal: agentService(legal),
    sorter: agentService(sorter),
    hurried: agentService(legal, { timeout: '2d' }),
  },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [shop, legal, sorter, ping, pong, ...deep] });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  seen.length = 0;
});

/** The answers of each agent's model, by the agent's instructions. */
function scripts(said: { [instructions: string]: ModelReply[] }): void {
  const count = Object.values(said).reduce((sum, replies) => sum + replies.length, 0);
  const steps = Array.from(
    { length: count },
    () =>
      ({ request }: { request: { messages: { content?: unknown }[] } }) => {
        const reply = said[String(request.messages[0]?.content)]?.shift();
        if (reply === undefined) throw new Error(`Nothing is left to say for ${String(request.messages[0]?.content)}`);
        return reply;
      },
  );
  kit.model.script(...steps);
}

const start = (agent: Agent, more: object = {}) =>
  kit.start(agent.name, { input: { text: 'x' }, ...more }) as Promise<RunHandle<unknown>>;
const childOf = (run: { id: string }, nth = 1) => kit.client.get(`${run.id}/t1.${nth}`);

test('an agent that works for another gets its owner and metadata, and knows who asked', async () => {
  scripts({
    shop: [call('legal', { text: 'is it allowed?' }), text('done')],
    legal: [call('note'), text('it is')],
  });
  const run = await start(shop, { owner: 'ann', metadata: { ticket: 17 } });
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({ 't1.1': 'it is' });
  expect(seen).toEqual([
    {
      id: `${run.id}/t1.1`,
      owner: 'ann',
      metadata: { ticket: 17 },
      selfInfo: { agent: 'test.legal', description: 'Knows the law' },
      delegatedBy: { agent: 'test.shop', id: run.id, toolUseId: 't1.1', lineage: ['test.shop'] },
    },
  ]);
  await expectWhole(kit, run);
  await expectWhole(kit, childOf(run));
});

test('the answer of an agent with an output schema is data, and its cost is reported', async () => {
  scripts({ shop: [call('sorter', { text: 'paid twice' }), text('done')], sorter: [text('{"queue":"billing"}')] });
  const run = await start(shop);
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({ 't1.1': '{"queue":"billing"}' });
  const { executionUnits } = await childOf(run).result();
  for await (const one of run.facts()) {
    if (one.type === 'service.answered') expect(one).toMatchObject({ name: 'sorter', executionUnits });
  }
  // The model does not read the field that is only for correlation.
  expect(JSON.stringify(await childOf(run).transcript())).not.toContain('parentSubject');
  await expectWhole(kit, run);
});

test('an agent that fails is an error with the type of its failure', async () => {
  const unauthorized = fault({ kind: 'status', status: 401, code: 'invalid_api_key' });
  scripts({ shop: [call('legal', { text: 'x' }), text('done')], legal: [unauthorized] });
  const run = await start(shop);
  expect(await endOf(run)).toBe('done');
  expect((await outcomes(run))['t1.1']).toMatch(/^ServiceFailed: `legal` failed: ModelUnauthorized: The model server/);
  await expectWhole(kit, run);
});

test('arguments that the agent does not take are an error before it is started', async () => {
  scripts({ shop: [call('legal', { question: 'x' }), text('done')] });
  const run = await start(shop);
  expect(await endOf(run)).toBe('done');
  expect((await outcomes(run))['t1.1']).toMatch(/^InvalidArguments: .*text/);
  await expect(childOf(run).state()).rejects.toMatchObject({ type: 'RunNotFound' });
});

test('two agents work at once', async () => {
  let both = 0;
  const together = async (reply: ModelReply) => {
    both += 1;
    await until(() => both === 2, 'the other agent');
    return reply;
  };
  const answers: { [who: string]: ModelReply } = { legal: text('fine'), sorter: text('{"queue":"tech"}') };
  kit.model.script(
    calls(['legal', { text: 'x' }], ['sorter', { text: 'y' }]),
    ({ request }) => together(answers[String(request.messages[0]?.content)] as ModelReply),
    ({ request }) => together(answers[String(request.messages[0]?.content)] as ModelReply),
    text('done'),
  );
  const run = await start(shop);
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({ 't1.1': 'fine', 't1.2': '{"queue":"tech"}' });
  await expectWhole(kit, run);
});

test('agents that call each other are told to do it themselves', async () => {
  scripts({
    ping: [calls(['pong', {}], ['self', {}]), text('ping is done')],
    pong: [call('ping', {}), text('pong is done')],
  });
  const run = await start(ping);
  expect(await endOf(run)).toBe('ping is done');
  expect(await outcomes(run)).toEqual({
    't1.1': 'pong is done',
    't1.2':
      'DelegationRefused: `test.ping` was not asked: it would wait for itself (test.ping → test.ping). Do the work yourself.',
  });
  expect(await outcomes(childOf(run))).toEqual({
    't1.1':
      'DelegationRefused: `test.ping` was not asked: it would wait for itself (test.ping → test.pong → test.ping). Do the work yourself.',
  });
  await expectWhole(kit, run);
  await expectWhole(kit, childOf(run));
});

test('agents delegate eight deep and no further', async () => {
  scripts(Object.fromEntries(deep.map((_, i) => [`deep${i}`, [call('next', {}), text(`${i}`)]])));
  const run = await start(deep[0] as Agent);
  expect(await endOf(run)).toBe('0');
  const last = kit.client.get(`${run.id}${'/t1.1'.repeat(7)}`);
  expect((await outcomes(last))['t1.1']).toMatch(
    /^DelegationRefused: `test\.deep8` was not asked: at most 8 agents may/,
  );
  expect((await last.state()).delegatedBy?.lineage).toHaveLength(7);
});

test('an agent that takes too long is cancelled in order, and the calls that it waited for are given up', async () => {
  scripts({ shop: [call('hurried', { text: 'x' }), text('done')], legal: [call('ask', { sku: 'a' })] });
  const run = await start(shop);
  expect((await run.waiting({ atLeast: { services: 2 } })).services).toMatchObject([
    { id: run.id, tool: 'hurried', kind: 'agent', ref: `${run.id}/t1.1` },
    { id: `${run.id}/t1.1`, tool: 'ask', kind: 'signal' },
  ]);
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({ 't1.1': 'ServiceTimedOut: `hurried` gave no answer within 2 days.' });
  expect(await endOf(childOf(run))).toBe('Cancelled');
  expect(await outcomes(childOf(run))).toEqual({ 't1.1': 'ToolCancelled: `ask` was cancelled.' });
  await expectWhole(kit, run);
  await expectWhole(kit, childOf(run));
});

test('what a child agent waits for is answered there', async () => {
  scripts({
    shop: [call('legal', { text: 'x' }), text('done')],
    legal: [call('ask', { sku: 'a' }), text('three are left')],
  });
  const run = await start(shop);
  const found = (await run.waiting({ atLeast: { services: 2 } })).services;
  const asked = found.find(({ kind }) => kind === 'signal');
  await kit.client.completeCall(asked?.id ?? '', asked?.toolUseId ?? '', { data: { left: 3 } });
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({ 't1.1': 'three are left' });
});

test('a run that is cancelled stops the agents that work for it', async () => {
  kit.model.script(call('legal', { text: 'x' }), fault({ kind: 'stall', after: 4 }, { text: 'It is' }));
  const run = await start(shop);
  await kit.model.request(2);
  await run.cancel();
  expect(await endOf(run)).toBe('Cancelled');
  expect(await endOf(childOf(run))).toBe('Cancelled');
  await expectWhole(kit, run);
  await expectWhole(kit, childOf(run));
});
