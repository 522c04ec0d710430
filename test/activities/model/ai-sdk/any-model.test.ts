import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { type AiSdkModel, aiSdk } from 'holdfast/worker';
import type { JsonObject } from '../../../../agent/values/json';
import { followed, PNG, text, user } from '../../../adapters/exchange';
import { ask, failureOf } from '../asking';
import { lookup } from '../lookup';
import { finish, hello, object } from './object';

describe('anything but a model of a known specification is refused when it is made', () => {
  test.each([
    [
      { specificationVersion: 'v5' },
      /The model `one` of `acme\.chat` has the specification `v5`, and v2, v3, v4 are known/,
    ],
    [{ specificationVersion: 'v1' }, /go with `ai` 6/],
    [{ doStream: undefined }, /Expected a language model of an AI SDK provider/],
    [{ modelId: 7 }, /Expected a language model/],
  ])('%o', (about, problem) => {
    const broken = { ...object([]), ...about } as unknown as AiSdkModel;
    expect(() => aiSdk(broken)).toThrow(expect.objectContaining({ type: 'InvalidDefinition' }));
    expect(() => aiSdk(broken)).toThrow(problem);
  });

  test('a name alone is refused', () => {
    expect(() => aiSdk('anthropic/claude' as unknown as AiSdkModel)).toThrow('got `anthropic/claude`');
    expect(() => aiSdk((() => 1) as unknown as AiSdkModel)).toThrow('got a function without `doStream`');
  });
});

describe('a setting that does not fit', () => {
  test.each<[given: object, problem: string]>([
    [{ maxtokens: 5 }, 'aiSdk.settings.maxtokens: Unknown field; did you mean `maxTokens`?'],
    [{ contextWindow: '200k' }, 'aiSdk.settings.contextWindow: Expected a whole number of at least 1, got a string'],
    [{ promptCaching: 'yes' }, 'aiSdk.settings.promptCaching: Expected `true` or `false`'],
    [{ limits: { rpm: 5 } }, 'There is no `rpm` here; possible are `requestsPerMinute`'],
  ])('is refused when the model is made: %o', (settings, problem) => {
    expect(() => aiSdk(object([]), settings)).toThrow(expect.objectContaining({ type: 'InvalidDefinition' }));
    expect(() => aiSdk(object([]), settings)).toThrow(problem);
  });

  test('is none that has no value', () => {
    const prices = () => 1;
    const model = aiSdk(object([]), { temperature: undefined, prices, patience: 5 } as object);
    expect(model).toMatchObject({ prices, patience: 5 });
    expect(model).not.toHaveProperty('temperature');
  });
});

describe('a setting that would be ignored', () => {
  test.each([
    [{ reasoningEffort: 'high' }],
    [{ serviceTier: 'flex' }],
    [{ extraBody: { x: 1 } }],
    [{ parallelToolCalls: false }],
  ])('is refused when the model is made: %o', (settings) => {
    const [name] = Object.keys(settings);
    expect(() => aiSdk(object([]), settings)).toThrow(`aiSdk.settings.${name}`);
    expect(() => aiSdk(object([]), settings)).toThrow('Set it in `providerOptions.acme`');
  });

  test('is not refused where the provider has it', async () => {
    const model = object(hello, { specificationVersion: 'v4' });
    await ask(aiSdk(model, { reasoningEffort: 'high' }));
    expect(model.options[0]).toMatchObject({ reasoning: 'high' });
    const gpt = object(hello, { provider: 'openai.responses' });
    await ask(aiSdk(gpt, { parallelToolCalls: false }), { tools: [lookup] });
    expect(gpt.options[0]).toMatchObject({ providerOptions: { openai: { parallelToolCalls: false } } });
  });

  test.each([
    ['mistral.chat', { mistral: { parallelToolCalls: false } }],
    ['groq.chat', { groq: { parallelToolCalls: false } }],
    ['xai.chat', { xai: { parallel_function_calling: false } }],
    ['xai.responses', { xai: { parallelToolCalls: false } }],
  ])('is sent by the name that %s has for it', async (provider, providerOptions) => {
    const model = object(hello, { provider });
    await ask(aiSdk(model, { parallelToolCalls: false }), { tools: [lookup] });
    expect(model.options[0]).toMatchObject({ providerOptions });
  });
});

describe('the second specification', () => {
  const v2 = (parts: readonly unknown[]) => object(parts, { specificationVersion: 'v2' });
  const end = (more: JsonObject) => [...hello.slice(0, 2), { type: 'finish', finishReason: 'stop', ...more }];

  test('counts with single numbers', async () => {
    const usage = { inputTokens: 9, outputTokens: 8, totalTokens: 17, reasoningTokens: 3, cachedInputTokens: 4 };
    const answer = await ask(aiSdk(v2(end({ usage }))));
    expect(answer.usage).toEqual({ prompt: 9, completion: 8, cached: 4, reasoning: 3 });
  });

  test('of Anthropic counts its cache beside the input', async () => {
    const usage = { inputTokens: 9, outputTokens: 8, cachedInputTokens: 400 };
    const providerMetadata = { anthropic: { cacheCreationInputTokens: 50 } };
    const answer = await ask(aiSdk(v2(end({ usage, providerMetadata }))));
    expect(answer.usage).toEqual({ prompt: 459, completion: 8, cached: 400, cacheWritten: 50 });
  });

  test.each([
    ['unknown', 'ModelUnavailable'],
    ['error', 'ModelUnavailable'],
    ['content-filter', 'Refused'],
  ])('the end `%s` is the failure %s', async (finishReason, type) => {
    expect(await failureOf(ask(aiSdk(v2(end({ finishReason })))))).toMatchObject({ type });
  });

  test('has a form for data in a result, and an address follows the results', async () => {
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'look_up', input: '{"q":"x"}' };
    const answer = await ask(aiSdk(v2([call, finish])), { tools: [lookup] });
    const supportedUrls = { 'image/*': [/^https:/] };
    const model = object(hello, { specificationVersion: 'v2', provider: 'google.generative-ai', supportedUrls });
    const url = { type: 'media' as const, mediaType: 'image/webp', url: 'https://example.com/a.webp' };
    const messages = [user(text('hi')), ...followed(answer, [text('found'), PNG, url])];
    await ask(aiSdk(model), { tools: [lookup], messages, call: 2 });
    expect(model.options[0]?.prompt.slice(2)).toEqual([
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c',
            toolName: 'look_up',
            output: {
              type: 'content',
              value: [
                { type: 'text', text: 'found\n[image, png]\n[image, webp: see the next user message]' },
                { type: 'media', mediaType: 'image/png', data: PNG.data },
              ],
            },
          },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Media from the result of look_up:' },
          { type: 'file', mediaType: 'image/webp', data: new URL(url.url) },
        ],
      },
    ]);
  });
});

test('the fourth specification says of media whether they are data or an address', async () => {
  const model = object([...hello.slice(0, 2), { type: 'ping' }, finish], { specificationVersion: 'v4' });
  const url = { type: 'media' as const, mediaType: 'image/gif', url: 'https://example.com/a.gif' };
  await ask(aiSdk(model), { messages: [user(PNG, url)] });
  expect(model.options[0]?.prompt[0]?.content).toEqual([
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG.data } },
    { type: 'file', mediaType: 'image/gif', data: { type: 'url', url: new URL(url.url) } },
  ]);
});

test('what a provider ignores is logged once for a model, in one line for a call', async () => {
  const lines: unknown[] = [];
  const log = { warn: (what: string, fields: object) => lines.push([what, fields]) };
  const warnings = [
    { type: 'unsupported', feature: 'seed' },
    { type: 'unsupported-setting', setting: 'topP', details: 'not with temperature' },
    { type: 'other', message: 'old model' },
  ];
  const model = aiSdk(object([{ type: 'stream-start', warnings }, ...hello]));
  await asyncLocalStorage.run({ log } as unknown as Context, async () => {
    await ask(model);
    await ask(model);
    await ask({ ...model, parallelToolCalls: false }, { tools: [lookup] });
  });
  const about = { provider: 'acme.chat', model: 'one' };
  const said = ['unsupported: seed', 'unsupported-setting: topP: not with temperature', 'other: old model'];
  expect(lines).toEqual([
    ['A provider does not take a request as it is.', { ...about, warnings: said }],
    [expect.anything(), { ...about, warnings: [expect.stringContaining('no common field for `parallelToolCalls`')] }],
  ]);
});

// The package of a provider reads only its own options. A request that it silently sends without them costs an afternoon.
it.each([
  ['openai.responses', 'anthropic', '`openai.responses` ignores them; its options are under `openai`'],
  ['azure.chat', 'google', '`azure.chat` ignores them; its options are under `azure` or `openai`'],
  ['anthropic.messages', 'openai', '`anthropic.messages` ignores them; its options are under `anthropic`'],
])('options for another provider are refused: %s with those of %s', (provider, key, problem) => {
  const settings = { providerOptions: { [key]: { a: 1 } } };
  expect(() => aiSdk(object([], { provider }), settings)).toThrow(`aiSdk.settings.providerOptions.${key}: ${problem}`);
});

it.each([
  ['openai.chat', 'openai'],
  ['azure.responses', 'openai'],
  ['gateway', 'anthropic'],
  ['my-own.chat', 'anthropic'],
  ['vertex.anthropic.messages', 'google'],
  ['openai.chat', 'my-middleware'],
])('options that may be read are taken: %s with those of %s', (provider, key) => {
  const settings = { providerOptions: { [key]: { a: 1 } } };
  expect(aiSdk(object([], { provider }), settings)).toMatchObject(settings);
});
