import { agentService, defineAgent, defineVersion, type ServiceEvent } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';
import { expectWhole, outcomes } from '../services/stage';

/** An agent whose input and answer have changed: version 10 is newer than version 2. */
const review = defineAgent({
  name: 'test.review',
  instructions: 'Review the text.',
  outputSchema: z.object({ ok: z.boolean() }),
  versions: {
    '10.0.0': defineVersion({
      inputSchema: z.object({ document: z.object({ body: z.string() }) }),
      outputSchema: z.object({ verdict: z.enum(['accept', 'reject']) }),
      contextBuilder: ({ input }) => ({
        system: 'Review the document.',
        messages: [{ role: 'user', content: input.document.body }],
      }),
    }),
    '2.0.0': defineVersion({
      inputSchema: z.object({ text: z.string() }),
      outputBuilder: ({ content }) => ({ data: { ok: content === 'fine' } }),
    }),
  },
});
const agents = [
  review,
  defineAgent({ name: 'test.plain' }),
  defineAgent({ name: 'test.asks.new', services: { review: agentService(review) } }),
  defineAgent({ name: 'test.asks.old', services: { review: agentService(review, { version: '2.0.0' }) } }),
];

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const read = () => kit.model.requests.at(-1)?.body.messages.map(({ content }) => content);

test('a run without a version works by the newest one', async () => {
  kit.model.script(text('{"verdict":"accept"}'));
  const run = await kit.client.start(review, { input: { document: { body: 'Hello' } } });
  expect((await run.result()).data).toEqual({ verdict: 'accept' });
  expect(read()).toEqual(['Review the document.', 'Hello']);
  expect(await run.state()).toMatchObject({ version: '10.0.0' });
  await expectWhole(kit, run);
});

test('a run works by the version that its caller asks for, with the fields of the agent that the version leaves', async () => {
  kit.model.script(text('fine'));
  const run = await kit.client.start(review, { version: '2.0.0', input: { text: 'Hello' } });
  expect((await run.result()).data).toEqual({ ok: true });
  expect(read()).toEqual(['Review the text.', '{"text":"Hello"}']);
  expect(await run.state()).toMatchObject({ version: '2.0.0' });
  await expectWhole(kit, run);
});

test.each([
  ['InvalidInput', { version: '2.0.0', input: { document: { body: 'x' } } }],
  ['UnknownVersion', { version: '3.0.0', input: { text: 'x' } }],
  ['UnknownVersion', { version: 'new', input: { text: 'x' } }],
])('a client that has the agent refuses with %s before anything starts: %j', async (type, options) => {
  await expect(kit.client.start(review, options)).rejects.toMatchObject({ type });
  expect(kit.model.requests).toEqual([]);
});

test('a text that is not a version is refused', async () => {
  await expect(kit.client.start('test.review', { version: 'new', input: {} })).rejects.toMatchObject({
    type: 'InvalidInput',
    message: expect.stringContaining('three numbers joined by dots'),
  });
});

test('a run of an agent without versions has the first one', async () => {
  kit.model.script(text('fine'));
  const run = await kit.client.start('test.plain', { input: 'Hello' });
  await run.result();
  expect(await run.state()).toMatchObject({ version: '1.0.0' });
});

test('a run of a version that no worker has fails and names the known ones', async () => {
  const run = await kit.client.start('test.review', { version: '3.0.0', input: {} });
  await expect(run.result()).rejects.toMatchObject({
    type: 'UnknownVersion',
    message: expect.stringContaining('no version `3.0.0` of its contract; it has `2.0.0`, `10.0.0`'),
  });
  const plain = await kit.client.start('test.plain', { version: '2.0.0', input: {} });
  await expect(plain.result()).rejects.toMatchObject({ type: 'UnknownVersion' });
});

test('the same id with another version is another run', async () => {
  kit.model.script(text('fine'));
  const given = { id: 'versions-1', version: '2.0.0', input: { text: 'Hello' } };
  const run = await kit.client.start('test.review', given);
  await run.result();
  expect((await kit.client.start('test.review', given)).id).toBe(run.id);
  await expect(kit.client.start('test.review', { ...given, version: '10.0.0' })).rejects.toMatchObject({
    type: 'IdInUse',
  });
});

test('an agent calls the newest version, or the one that it was made with', async () => {
  kit.model.script(call('review', { document: { body: 'Hello' } }), text('{"verdict":"reject"}'), text('done'));
  const run = await kit.client.start('test.asks.new', { input: 'go' });
  expect((await run.result()).data).toBe('done');
  expect(await outcomes(run)).toEqual({ 't1.1': '{"verdict":"reject"}' });

  kit.model.script(call('review', { text: 'Hello' }), text('no'), text('done'));
  const old = await kit.client.start('test.asks.old', { input: 'go' });
  expect((await old.result()).data).toBe('done');
  expect(await outcomes(old)).toEqual({ 't1.1': '{"ok":false}' });
  await expectWhole(kit, old);
});

describe('started by an event', () => {
  const asking = (id: string, more: Partial<ServiceEvent>): ServiceEvent => ({
    specversion: '1.0',
    id,
    source: 'com.shop',
    subject: 'order-17',
    type: 'arvo.orc.test.review',
    time: '2026-01-01T00:00:00Z',
    datacontenttype: 'application/json',
    data: {},
    ...more,
  });

  test.each([
    ['2.0.0', { text: 'Hello' }, 'fine', { ok: true }],
    ['10.0.0', { document: { body: 'Hello' } }, '{"verdict":"accept"}', { verdict: 'accept' }],
  ])('it works by the version of its schema: %s', async (version, data, answer, expected) => {
    kit.model.script(text(answer));
    const dataschema = `#/contracts/test.review/${version}`;
    const run = await kit.client.startFromEvent('test.review', asking(`v-${version}`, { data, dataschema }));
    const { event } = await run.result();
    expect(event).toMatchObject({ type: 'arvo.orc.test.review.done', dataschema, data: expected });
  });

  test('without a schema it works by the newest, and an unknown version is an error', async () => {
    kit.model.script(text('{"verdict":"accept"}'));
    const data = { document: { body: 'Hello' } };
    const run = await kit.client.startFromEvent('test.review', asking('v-none', { data }));
    expect((await run.result()).data).toEqual({ verdict: 'accept' });
    const gone = await kit.client.startFromEvent('test.review', asking('v-gone', { data, dataschema: '#/c/4.0.0' }));
    await expect(gone.result()).rejects.toMatchObject({ type: 'UnknownVersion' });
    expect((await factsOf(gone)).at(-1)).toMatchObject({ type: 'loop.end' });
  });
});
