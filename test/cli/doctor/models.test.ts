import { call, calls, fault, ScriptedModel, text } from 'holdfast/testing';
import type { JsonObject } from '../../../agent/values/json';
import { capabilityLine } from '../../../cli/doctor/doctor';
import type { Finding } from '../../../cli/doctor/finding';
import { callModels } from '../../../cli/doctor/models';
import { freePort } from '../../../runtime/process/ports';
import { closeAfterTest } from '../../close-after-test';
import type { ChatRequest, ModelReply } from '../../kit/model-reply';
import { serveModel } from '../../kit/model-server';
import type { ScriptTurn } from '../../kit/scripted-model';

const KEY = 'key-that-must-stay-secret';
const model = new ScriptedModel();
beforeAll(() => model.start());
afterAll(() => model.close());
afterEach(() => model.reset());

async function findings(models: Parameters<typeof callModels>[1], patience?: number): Promise<Finding[]> {
  const found: Finding[] = [];
  await callModels((finding) => found.push(finding), models, patience);
  expect(JSON.stringify(found)).not.toContain(KEY);
  return found;
}
const config = (name: string) => ({ baseUrl: model.url, model: name, apiKey: KEY });

/** A model that can do everything: it answers by what it is asked. */
function able({ messages, tools, response_format }: ChatRequest): ModelReply {
  const isLong = JSON.stringify(messages).includes('one two three');
  if (tools !== undefined) return calls(['weather', { city: 'Paris' }], ['weather', { city: 'Rome' }]);
  if (response_format !== undefined) return text('{"city": "Paris"}');
  return text(isLong ? 'one two three four five' : 'OK', { usage: { prompt: 9, completion: 1 } });
}

const worksOf = (found: readonly Finding[]) =>
  found.map(({ capabilities = [] }) => capabilities.map(({ name, works }) => `${name}: ${works}`));

it('finds out what works with a model, by six small calls', async () => {
  model.script(
    ...Array.from(
      { length: 6 },
      () =>
        ({ request }: ScriptTurn) =>
          able(request),
    ),
  );
  const [found] = await findings({ a: { ...config('m-a'), maxTokens: 9000, temperature: 0.5 } });
  expect(found).toEqual({
    ...{ state: 'ok', what: 'call of a', found: expect.stringMatching(/^m-a answered in \d+ ms, 9 \+ 1 tokens$/) },
    capabilities: [
      { name: 'stream', works: 'ok', reason: 'the answer came in 2 pieces' },
      { name: 'usage', works: 'ok', reason: 'the server reports 9 + 1 tokens' },
      { name: 'tools', works: 'ok', reason: 'it called the tool with {"city":"Paris"}' },
      { name: 'parallel tools', works: 'ok', reason: '2 calls came in one answer' },
      { name: 'structured output', works: 'ok', reason: 'the answer fits the schema' },
      { name: 'images', works: 'ok', reason: 'an image of 1×1 pixels was accepted' },
      { name: 'caching', works: 'no', reason: 'none of 9 tokens of a repeated prompt came from a cache' },
    ],
  });
  expect(model.requests).toHaveLength(6);
  const bodies = model.requests.map(({ body }) => body as ChatRequest & { max_tokens: number; temperature: number });
  expect(bodies[0]).toMatchObject({ max_tokens: 16, temperature: 0.5 });
  expect(Math.max(...bodies.map(({ max_tokens }) => max_tokens))).toBe(300);
  expect(JSON.stringify(bodies[3]?.messages)).toContain('data:image/png;base64,');
  expect(bodies[4]).toEqual(bodies[5]);
});

it('names what a model lacks, with the reason, and what cannot be known; that is not a failure', async () => {
  /** It answers without streaming, without usage, and refuses what it does not know. */
  const server = closeAfterTest(
    await serveModel(({ messages, tools, response_format: format }) => {
      const lacks = tools
        ? 'tools'
        : format
          ? 'response_format'
          : JSON.stringify(messages).includes('image')
            ? 'image'
            : '';
      if (lacks !== '') return fault({ kind: 'status', status: 400, message: `unknown field ${lacks}` });
      const choices = [{ index: 0, message: { role: 'assistant', content: 'OK' }, finish_reason: 'stop' }];
      return { raw: [JSON.stringify({ model: 'm', choices })], contentType: 'application/json' };
    }),
  );
  const [found] = await findings({ a: { baseUrl: server.url, model: 'm' } });
  expect(found?.state).toBe('ok');
  expect(found?.capabilities).toEqual([
    { name: 'stream', works: 'no', reason: 'the answer came in one piece' },
    { name: 'usage', works: 'no', reason: 'the server reports no numbers that can be right: tokens are estimated' },
    { name: 'tools', works: 'no', reason: 'it refused the request (400 unknown field tools)' },
    { name: 'parallel tools', works: 'unknown', reason: 'tools are not known to work' },
    { name: 'structured output', works: 'no', reason: expect.stringContaining('unknown field response_format') },
    { name: 'images', works: 'no', reason: 'it refused the request (400 unknown field image)' },
    { name: 'caching', works: 'unknown', reason: 'the server reports no numbers that can be right' },
  ]);
  expect(capabilityLine({ name: 'images', works: 'no', reason: 'why' })).toBe('    images            no      why');
});

it('tells a feature that is ignored from one that is refused, and an outage from both', async () => {
  model.script(
    text('one two three four five'),
    text('It rains in both.'),
    text('Paris is the capital.'),
    fault({ kind: 'status', status: 503 }),
    text('OK', { usage: { prompt: 1500, completion: 1 } }),
    fault({ kind: 'status', status: 429 }),
  );
  expect((await findings({ a: config('m') }))[0]?.capabilities?.slice(2)).toEqual([
    { name: 'tools', works: 'no', reason: 'it answered without the tool' },
    { name: 'parallel tools', works: 'unknown', reason: 'no tool was called' },
    { name: 'structured output', works: 'no', reason: 'the answer does not fit the schema' },
    { name: 'images', works: 'unknown', reason: expect.stringContaining('503') },
    { name: 'caching', works: 'unknown', reason: expect.stringContaining('limits the rate') },
  ]);
});

it('knows calls one at a time, arguments that do not fit, and answers that were too long', async () => {
  const rest = Array.from({ length: 3 }, () => text('OK'));
  model.script(
    text('one'),
    call('weather', { city: 'Paris' }),
    text('{"city": "Par', { finishReason: 'length' }),
    ...rest,
  );
  model.script(text('one'), call('weather', { town: 'Paris' }), text('{"city": 7}'), ...rest);
  model.script(text('one'), text('Let me', { finishReason: 'length' }), text('[]'), ...rest);
  model.script(text('one'), call('clock', { zone: 'CET' }), text('{"city": "Paris"}'), ...rest);
  const found = [];
  for (const alias of ['a', 'b', 'c', 'd']) found.push(...(await findings({ [alias]: config('m') })));
  expect(worksOf(found).map((works) => works.slice(2, 5))).toEqual([
    ['tools: ok', 'parallel tools: no', 'structured output: unknown'],
    ['tools: no', 'parallel tools: unknown', 'structured output: no'],
    ['tools: unknown', 'parallel tools: unknown', 'structured output: no'],
    ['tools: no', 'parallel tools: unknown', 'structured output: ok'],
  ]);
  expect(found[3]?.capabilities?.[2]?.reason).toBe('it called `clock`, which it was not offered');
});

it('sees that a repeated prompt came from a cache', async () => {
  const chunk = (usage: JsonObject): JsonObject => ({
    model: 'm',
    choices: [{ index: 0, delta: { content: 'OK' }, finish_reason: 'stop' }],
    usage,
  });
  const server = closeAfterTest(
    await serveModel((_, { number }) => ({
      raw: [
        chunk({
          ...{ prompt_tokens: 1500, completion_tokens: 1 },
          prompt_tokens_details: { cached_tokens: number === 6 ? 1408 : 0 },
        }),
        '[DONE]',
      ],
    })),
  );
  const [found] = await findings({ a: { baseUrl: server.url, model: 'm' } });
  expect(found?.capabilities?.at(-1)).toEqual({
    ...{ name: 'caching', works: 'ok', reason: '1408 of 1500 tokens of a repeated prompt came from the cache' },
  });
});

it('reports models in the order of the file', async () => {
  model.script(...Array.from({ length: 12 }, () => text('OK')));
  const found = await findings({ b: config('m-b'), a: config('m-a') });
  expect(found.map(({ what, state }) => [what, state])).toEqual([
    ['call of b', 'ok'],
    ['call of a', 'ok'],
  ]);
});

it('accepts an answer that reached the token limit: a reasoning model gives no text in so few tokens', async () => {
  model.script(
    text('', { reasoning: 'Let me think', finishReason: 'length' }),
    ...Array.from({ length: 5 }, () => text('OK')),
  );
  expect(await findings({ a: config('m') })).toMatchObject([{ state: 'ok' }]);
});

it.each([
  [fault({ kind: 'status', status: 401, message: `Incorrect API key: ${KEY}` }), /refused the key for `m` \(401/],
  [fault({ kind: 'status', status: 404 }), /has no model `m`/],
  [fault({ kind: 'status', status: 429 }), /limits the rate/],
  [fault({ kind: 'status', status: 500 }), /gave no usable answer for `m`/],
  [fault({ kind: 'html' }), /is not an OpenAI-compatible model server/],
])('reports a failure in one line, without trying again (%#)', async (step, line) => {
  model.script(step);
  const [finding] = await findings({ a: config('m') });
  expect(finding).toMatchObject({ state: 'missing', what: 'call of a', found: expect.stringMatching(line) });
  expect(finding?.found).not.toContain('\n');
  expect(model.requests).toHaveLength(1);
});

it('reports a missing server and a silent one, and goes on with the others', async () => {
  model.script(fault({ kind: 'stall', after: 1 }, { text: 'OK' }));
  const nowhere = `http://127.0.0.1:${await freePort('127.0.0.1')}/v1`;
  expect(await findings({ gone: { ...config('m'), baseUrl: nowhere }, slow: config('m') }, 300)).toEqual([
    {
      ...{ state: 'missing', what: 'call of gone', found: expect.stringContaining('ECONNREFUSED') },
      todo: 'check that it runs, and `baseUrl` of `gone` in temporal.yaml',
    },
    {
      state: 'missing',
      what: 'call of slow',
      found: `no answer of \`m\` from the server at ${model.url} within 0.3 s`,
      todo: expect.stringContaining('loading'),
    },
  ]);
});
