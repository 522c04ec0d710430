import { fault, ScriptedModel, text } from 'holdfast/testing';
import type { Finding } from '../../../cli/doctor/checks';
import { callModels } from '../../../cli/doctor/models';
import { freePort } from '../../../runtime/process/ports';

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

it('calls each model once with a tiny prompt and reports its time and tokens, in the order of the file', async () => {
  model.script(
    text('OK', { usage: { prompt: 9, completion: 1 } }),
    text('OK', { usage: { prompt: 8, completion: 2 } }),
  );
  const found = await findings({ b: { ...config('m-b'), maxTokens: 9000, temperature: 0.5 }, a: config('m-a') });
  expect(found).toEqual([
    { state: 'ok', what: 'call of b', found: expect.stringMatching(/^m-b answered in \d+ ms, 9 \+ 1 tokens$/) },
    { state: 'ok', what: 'call of a', found: expect.stringMatching(/^m-a answered in \d+ ms, 8 \+ 2 tokens$/) },
  ]);
  expect(model.requests).toHaveLength(2);
  expect(model.requests[0]?.body).toMatchObject({
    messages: [{ role: 'user', content: 'Reply with OK' }],
    max_tokens: 16,
    temperature: 0.5,
  });
});

it('accepts an answer that reached the token limit: a reasoning model gives no text in so few tokens', async () => {
  model.script(text('', { reasoning: 'Let me think', finishReason: 'length' }));
  expect(await findings({ a: config('m') })).toMatchObject([{ state: 'ok' }]);
});

it.each([
  [fault({ kind: 'status', status: 401, message: `Incorrect API key: ${KEY}` }), /refused the key for `m` \(401/],
  [fault({ kind: 'status', status: 404 }), /has no model `m`/],
  [fault({ kind: 'status', status: 429 }), /limits the rate/],
  [fault({ kind: 'status', status: 500 }), /did not answer for `m`/],
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
    { state: 'missing', what: 'call of gone', found: expect.stringContaining('ECONNREFUSED') },
    {
      state: 'missing',
      what: 'call of slow',
      found: `no answer of \`m\` at ${model.url} within 0.3 s`,
      todo: expect.stringContaining('loading'),
    },
  ]);
});
