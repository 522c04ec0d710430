import type { StreamAnswerArgs } from '../../../../activities/model/answer/stream-answer';
import { plausibleUsage } from '../../../../activities/model/usage/reported';
import type { Usage } from '../../../../agent/model/cost/usage';
import type { JsonObject } from '../../../../agent/values/json';
import { ask, configOf, delta, end, model } from '../asking';

const known = { prompt: () => 100, media: () => 0, completion: 10, reasons: false };

it.each<[string, Usage, Partial<typeof known>, Usage | undefined]>([
  ['as it is counted', { prompt: 100, completion: 10 }, {}, { prompt: 100, completion: 10 }],
  [
    'with its details',
    { prompt: 90, completion: 10, cached: 50, cacheWritten: 20, reasoning: 4 },
    {},
    { prompt: 90, completion: 10, cached: 50, cacheWritten: 20, reasoning: 4 },
  ],
  [
    'with details that make no sense',
    { prompt: 9, completion: 1, cached: -1, cacheWritten: 0.5 },
    {},
    { prompt: 9, completion: 1 },
  ],
  ['with more cached than sent', { prompt: 9, completion: 1, cached: 12 }, {}, { prompt: 9, completion: 1, cached: 9 }],
  ['with a negative prompt', { prompt: -1, completion: 10 }, {}, undefined],
  ['with a negative answer', { prompt: 100, completion: -5 }, {}, undefined],
  ['with half a token', { prompt: 100.5, completion: 10 }, {}, undefined],
  ['that is not a number', { prompt: Number.NaN, completion: 10 }, {}, undefined],
  ['without an end', { prompt: Number.POSITIVE_INFINITY, completion: 10 }, {}, undefined],
  ['ten times the count and a template', { prompt: 2000, completion: 1100 }, {}, { prompt: 2000, completion: 1100 }],
  ['above that, of the prompt', { prompt: 2001, completion: 10 }, {}, undefined],
  ['above that, of the answer', { prompt: 100, completion: 1101 }, {}, undefined],
  ['of a document', { prompt: 250_000, completion: 10 }, { media: () => 1 }, { prompt: 250_000, completion: 10 }],
  ['of hidden reasoning', { prompt: 100, completion: 60_000 }, { reasons: true }, { prompt: 100, completion: 60_000 }],
  [
    'of reported reasoning',
    { prompt: 100, completion: 60_000, reasoning: 59_000 },
    {},
    { prompt: 100, completion: 60_000, reasoning: 59_000 },
  ],
  ['of more reasoning than any model does', { prompt: 100, completion: 1_000_000 }, { reasons: true }, undefined],
])('usage %s', (_what, reported, more, usage) => {
  expect(plausibleUsage(reported, { ...known, ...more })).toEqual(usage);
});

it('a small prompt is believed without a walk over the transcript', () => {
  const prompt = jest.fn(() => 1);
  expect(plausibleUsage({ prompt: 1000, completion: 1 }, { ...known, prompt })).toEqual({
    prompt: 1000,
    completion: 1,
  });
  expect(prompt).not.toHaveBeenCalled();
});

/** An answer of ten words with this usage. */
async function answered(usage: JsonObject, extra: Partial<StreamAnswerArgs> = {}) {
  const server = await model({ raw: [delta({ content: 'word '.repeat(10) }), end(), { choices: [], usage }] });
  const warn = jest.fn();
  const answer = await ask(configOf(server), { warn, ...extra });
  return { ...answer, said: warn.mock.calls };
}

it.each<[string, JsonObject]>([
  ['negative', { prompt_tokens: -7, completion_tokens: 3 }],
  ['not whole', { prompt_tokens: 7, completion_tokens: 2.5 }],
  ['far more than there is', { prompt_tokens: 900_000, completion_tokens: 3 }],
])('usage that is %s is replaced by the count, with a warning of both numbers', async (_what, reported) => {
  const { usage, executionUnits, said } = await answered(reported);
  const { prompt } = usage;
  expect(usage).toEqual({ prompt: expect.any(Number), completion: 13, estimated: true });
  expect(prompt).toBeGreaterThan(0);
  expect(prompt).toBeLessThan(100);
  expect(executionUnits).toBe(prompt + 13);
  expect(said[0]).toEqual([
    'usage',
    `the reported usage of ${reported.prompt_tokens} + ${reported.completion_tokens} tokens is not plausible; ` +
      `the count of ${prompt} + 13 tokens is used instead`,
  ]);
});

it("the worker's own count goes before the estimate", async () => {
  const { usage } = await answered({ prompt_tokens: 900_000, completion_tokens: 3 }, { counted: 42 });
  expect(usage).toEqual({ prompt: 42, completion: 13, estimated: true });
  const { usage: believed, said } = await answered({ prompt_tokens: 9000, completion_tokens: 3 }, { counted: 4200 });
  expect(believed).toEqual({ prompt: 9000, completion: 3 });
  expect(said).toEqual([]);
});

it.each<[string, JsonObject]>([
  ['of zeros', { prompt_tokens: 0, completion_tokens: 0 }],
  ['of texts', { prompt_tokens: '7', completion_tokens: null }],
])('a report %s is none: the usage is estimated, without a warning', async (_what, reported) => {
  const onUsage = jest.fn();
  const { usage, said } = await answered(reported, { onUsage });
  expect(usage).toMatchObject({ completion: 13, estimated: true });
  expect(said).toEqual([]);
  expect(onUsage).not.toHaveBeenCalled();
});

it.each<[string, JsonObject]>([
  ['OpenRouter', { prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 5 } }],
  ['LiteLLM', { prompt_tokens_details: { cached_tokens: 2, cache_creation_tokens: 5 } }],
  ['a proxy of Anthropic', { prompt_tokens_details: { cached_tokens: 2 }, cache_creation_input_tokens: 5 }],
])('tokens that %s wrote to the cache are counted', async (_who, details) => {
  const { usage } = await answered({ prompt_tokens: 9, completion_tokens: 3, ...details });
  expect(usage).toEqual({ prompt: 9, completion: 3, cached: 2, cacheWritten: 5 });
});
