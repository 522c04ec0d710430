import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';

const input = z.object({ mail: z.string(), parentSubject$$: z.string().optional(), tone: z.string().default('calm') });
const image = { type: 'media' as const, mediaType: 'image/png', data: 'iVBORw0KGgo=' };
const look = defineTool({ description: 'Look', effect: 'read', inputSchema: z.object({}), execute: () => 'seen' });

const built = defineAgent({
  name: 'test.built',
  inputSchema: input,
  tools: { look },
  contextBuilder: ({ input, tools, ctx, lifecycle }) => ({
    system: `${lifecycle} ${tools.map((t) => t.name)} ${ctx.owner} ${ctx.id}`,
    messages: [
      { role: 'user', content: 'once before' },
      { role: 'assistant', content: 'yes' },
      { role: 'user', content: [{ type: 'text', text: input.mail }, image] },
    ],
  }),
  outputBuilder: ({ type, content, parsedContent }) =>
    content.includes('bad') ? { error: 'Say something good.' } : { data: { type, said: parsedContent ?? content } },
});
const silent = defineAgent({ name: 'test.silent', inputSchema: input, contextBuilder: () => ({ system: null }) });
const thrower = defineAgent({
  name: 'test.thrower',
  contextBuilder: () => {
    throw new Error('no database');
  },
});
const SECRET = 'builders-secret-0123456789';
const fetchFailed = () =>
  new Error('fetch failed', { cause: new Error(`connect ECONNREFUSED db:5432 with ${SECRET}`) });
const caused = defineAgent({
  name: 'test.caused',
  contextBuilder: () => {
    throw fetchFailed();
  },
});
const causedAtEnd = defineAgent({
  name: 'test.caused-at-end',
  outputBuilder: () => {
    throw fetchFailed();
  },
});
const odd = defineAgent({
  name: 'test.odd',
  contextBuilder: () => ({ messages: [{ role: 'system', content: 'x' } as never] }),
});
const strict = defineAgent({
  name: 'test.strict',
  outputSchema: z.object({ n: z.number() }),
  outputBuilder: ({ content }) => ({ data: { n: content.length > 5 ? content : 5 } as never }),
});
const mute = defineAgent({
  name: 'test.mute',
  outputBuilder: ({ content }) => (content === 'fine' ? { data: content } : { error: '' }),
});
const lost = defineAgent({ name: 'test.lost', outputBuilder: () => 'text' as never });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({
    agents: [built, silent, thrower, caused, causedAtEnd, odd, strict, mute, lost],
  });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

it('takes system prompt and messages from contextBuilder, media shown to the first call only', async () => {
  kit.model.script(call('look'), text('fine'));
  const run = await kit.start(built, { id: 'built-1', input: { mail: 'hello' }, owner: 'ann' });
  expect((await run.result()).data).toEqual({ type: 'text', said: 'fine' });
  const [first, second] = kit.model.requests.map(({ body }) => body.messages);
  expect(first?.slice(0, 3)).toEqual([
    { role: 'system', content: 'init look ann built-1' },
    { role: 'user', content: 'once before' },
    { role: 'assistant', content: 'yes' },
  ]);
  expect(JSON.stringify(first)).toContain('image_url');
  expect(JSON.stringify(second)).not.toContain('image_url');
  expect(JSON.stringify(second)).toContain('image, png');
  expect(JSON.stringify(await run.transcript())).toContain(image.data);
});

it('gives the model the input as JSON if contextBuilder gives no messages, without correlation fields', async () => {
  kit.model.script(text('ok'));
  await (await kit.start(silent, { input: { mail: 'x', parentSubject$$: 'secret' } })).result();
  expect(kit.model.requests[0]?.body.messages).toEqual([{ role: 'user', content: '{"mail":"x","tone":"calm"}' }]);
});

it.each([
  ['test.thrower', 'no database'],
  ['test.odd', 'role'],
])('fails the run of %s with the problem of its contextBuilder', async (agent, problem) => {
  const run = await kit.start(agent, { input: {} });
  await expect(run.result()).rejects.toMatchObject({
    type: 'ContextBuilderFailed',
    message: expect.stringContaining(problem),
  });
});

it('names the cause of what a builder throws, without secrets', async () => {
  process.env.BUILDERS_API_KEY = SECRET;
  const cause = 'failed: fetch failed: connect ECONNREFUSED db:5432 with ***';
  const message = expect.stringContaining(cause);
  const run = await kit.start(caused, { input: {} });
  await expect(run.result()).rejects.toMatchObject({ type: 'ContextBuilderFailed', message });
  kit.model.script(text('fine'));
  const other = await kit.start(causedAtEnd, { input: {} });
  await expect(other.result()).rejects.toMatchObject({ type: 'OutputBuilderFailed', message });
  delete process.env.BUILDERS_API_KEY;
});

it('sends the error of outputBuilder to the model word for word, and takes its data', async () => {
  kit.model.script(text('bad'), (turn) => {
    expect(turn.request.messages.slice(-2)).toEqual([
      { role: 'assistant', content: 'bad' },
      { role: 'user', content: 'Say something good.' },
    ]);
    return text('{"good":true}');
  });
  const run = await kit.start(built, { input: { mail: 'x' } });
  expect((await run.result()).data).toEqual({ type: 'json', said: { good: true } });
});

it("checks the builder's data against the output schema as well", async () => {
  kit.model.script(text('too long'), (turn) => {
    expect(turn.request.messages.at(-1)?.content).toContain('n: ');
    return text('short');
  });
  expect((await (await kit.start(strict, { input: {} })).result()).data).toEqual({ n: 5 });
});

it('fails the run when outputBuilder gives neither data nor an error', async () => {
  kit.model.script(text('x'));
  const run = await kit.start(lost, { input: {} });
  await expect(run.result()).rejects.toMatchObject({ type: 'OutputBuilderFailed' });
});

it('tells the model that its answer was not accepted if outputBuilder does not say why', async () => {
  kit.model.script(text('bad'), text('fine'));
  expect((await (await kit.start(mute, { input: 'go' })).result()).data).toBe('fine');
  expect(kit.model.requests[1]?.body.messages.at(-1)).toEqual({
    role: 'user',
    content: 'Your answer was not accepted. Compare it with the task, and answer again.',
  });
});
