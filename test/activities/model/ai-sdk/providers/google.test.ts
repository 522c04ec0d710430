import { aiSdk } from 'holdfast/worker';
import { isJsonObject, type Json, type JsonObject } from '../../../../../agent/values/json';
import { followed, PNG, text, user } from '../../../../adapters/exchange';
import { ask, failureOf } from '../../asking';
import { lookup } from '../../lookup';
import { chunk, events, finished, json, raw } from '../raw-server';

const list = (value: Json | undefined) => (Array.isArray(value) ? value.filter(isJsonObject) : []);
const call = (more: JsonObject = {}) => ({ functionCall: { name: 'look_up', args: { q: 'x' } }, ...more });
const ok = events(chunk([{ text: 'ok' }]), finished);

test('signatures of calls and thoughts are sent back, and images are part of their result', async () => {
  const thought = { text: 'I have to look.', thought: true, thoughtSignature: 'sig-t' };
  const server = await raw(
    events(chunk([thought]), chunk([call({ thoughtSignature: 'sig-c' }), call()]), finished),
    ok,
  );
  const model = aiSdk(server.gemini());
  const answer = await ask(model, { tools: [lookup] });
  expect(answer.toolRequests).toMatchObject([{ input: { q: 'x' } }, { input: { q: 'x' } }]);
  const results = followed(answer, [text('found'), PNG], [text('again')]);
  await ask(model, { tools: [lookup], messages: [user(text('hi')), ...results], call: 2 });
  const [, said, found] = list(server.bodies[1]?.contents);
  expect(said).toMatchObject({
    role: 'model',
    parts: [thought, { ...call(), thoughtSignature: 'sig-c' }, { functionCall: { name: 'look_up' } }],
  });
  expect(list(said?.parts)[2]).not.toHaveProperty('thoughtSignature');
  expect(found).toMatchObject({
    role: 'user',
    parts: [
      {
        functionResponse: {
          name: 'look_up',
          response: { content: 'found' },
          parts: [{ inlineData: { mimeType: 'image/png', data: PNG.data } }],
        },
      },
      { functionResponse: { response: { content: 'again' } } },
    ],
  });
  const ids = list(said?.parts).flatMap(({ functionCall }) => (isJsonObject(functionCall) ? [functionCall.id] : []));
  expect(list(found?.parts).map((part) => (part.functionResponse as JsonObject).id)).toEqual(ids);
});

test('the signature of a text is sent back with it', async () => {
  const server = await raw(
    events(
      chunk([{ text: 'Hel' }]),
      chunk([{ text: 'lo' }]),
      chunk([{ text: '', thoughtSignature: 'sig-x' }]),
      finished,
    ),
    ok,
  );
  const model = aiSdk(server.gemini());
  const { parts, providerData = {} } = await ask(model);
  await ask(model, {
    messages: [user(text('hi')), { role: 'assistant', parts, turn: 1, providerData }, user(text('go on'))],
    call: 2,
  });
  expect(list(server.bodies[1]?.contents)[1]?.parts).toEqual([{ text: 'Hello', thoughtSignature: 'sig-x' }]);
});

test('tokens of thoughts belong to the answer, and cached ones to the prompt', async () => {
  const server = await raw(ok);
  expect((await ask(aiSdk(server.gemini()))).usage).toEqual({ prompt: 9, completion: 7, cached: 5, reasoning: 3 });
});

test('settings arrive in the words of the provider', async () => {
  const server = await raw(ok);
  const thinkingConfig = { thinkingLevel: 'low', includeThoughts: true };
  const settings = { temperature: 0.3, topP: 0.5, maxTokens: 99, seed: 7, stop: ['END'] };
  const model = aiSdk(server.gemini(), { ...settings, providerOptions: { google: { thinkingConfig } } });
  const output = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  await ask(model, { system: 'Be brief', output });
  expect(server.bodies[0]).toMatchObject({
    systemInstruction: { parts: [{ text: 'Be brief' }] },
    generationConfig: {
      temperature: 0.3,
      topP: 0.5,
      maxOutputTokens: 99,
      seed: 7,
      stopSequences: ['END'],
      thinkingConfig,
      responseMimeType: 'application/json',
      responseSchema: output,
    },
  });
});

describe('errors', () => {
  const error = (code: number, status: string, message: string, details: JsonObject[] = []) =>
    json(code, { error: { code, status, message, details } });

  test.each([
    [
      'a wrong key',
      error(400, 'INVALID_ARGUMENT', 'API key not valid.', [{ reason: 'API_KEY_INVALID' }]),
      'ModelUnauthorized',
      true,
    ],
    [
      'too many tokens',
      error(400, 'INVALID_ARGUMENT', 'The input token count (9) exceeds the maximum number of tokens allowed (8).'),
      'ModelContextTooLong',
      true,
    ],
    ['an unknown model', error(404, 'NOT_FOUND', 'models/x is not found'), 'ModelNotFound', true],
    ['overload', error(503, 'UNAVAILABLE', 'The model is overloaded.'), 'ModelUnavailable', false],
    [
      'a limit within the stream',
      events(chunk([{ text: 'Hel' }]), { error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED' } }),
      'ModelRateLimited',
      false,
    ],
    ['a prompt that is blocked', events({ promptFeedback: { blockReason: 'SAFETY' } }), 'Refused', true],
    [
      'an answer that is blocked',
      events(chunk([{ text: 'I' }]), { candidates: [{ finishReason: 'PROHIBITED_CONTENT' }] }),
      'Refused',
      true,
    ],
    [
      'a call that the model wrote wrongly',
      events({ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] }),
      'ModelUnavailable',
      false,
    ],
    ['a stream without an end', events(chunk([{ text: 'Hel' }])), 'ModelUnavailable', false],
  ] as const)('%s', async (_, answer, type, nonRetryable) => {
    const server = await raw(answer);
    expect(await failureOf(ask(aiSdk(server.gemini())))).toMatchObject({ type, nonRetryable });
    expect(server.bodies).toHaveLength(1);
  });

  test.each([
    ['UNEXPECTED_TOOL_CALL', 'ModelUnavailable'],
    ['TOO_MANY_TOOL_CALLS', 'ModelUnavailable'],
    ['MALFORMED_RESPONSE', 'ModelUnavailable'],
    ['MISSING_THOUGHT_SIGNATURE', 'ModelUnavailable'],
    ['OTHER', 'ModelUnavailable'],
    ['LANGUAGE', 'Refused'],
  ])('an answer that ends with %s is not whole', async (finishReason, type) => {
    const server = await raw(events(chunk([{ text: 'I look it up' }]), { candidates: [{ finishReason }] }));
    expect(await failureOf(ask(aiSdk(server.gemini())))).toMatchObject({ type });
  });

  test('a call that the model wrote wrongly is told in the words of Gemini', async () => {
    const finishMessage = 'Malformed function call: print(default_api.look_up(q="x"))';
    const server = await raw(events({ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage }] }));
    const { message } = await failureOf(ask(aiSdk(server.gemini())));
    expect(message).toContain(`the answer ended with \`MALFORMED_FUNCTION_CALL: ${finishMessage}\``);
    expect(message).not.toContain('baseURL');
  });

  test('the wait that Gemini asks for in its body reaches Temporal', async () => {
    const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' };
    const server = await raw(error(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', [retry]));
    const failure = await failureOf(ask(aiSdk(server.gemini())));
    expect(failure).toMatchObject({ type: 'ModelRateLimited', nextRetryDelay: 34_500 });
  });
});
