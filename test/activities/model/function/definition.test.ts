import { defineModel, type ModelDefinition } from 'holdfast/worker';
import { END, model, yielding } from './functions';

describe('a definition with a wrong field is refused by its name', () => {
  const stream = yielding(END);
  it.each<[unknown, string]>([
    [undefined, 'defineModel: Expected an object'],
    [{ model: 'm' }, 'defineModel.stream: Expected an async generator function'],
    [
      { model: 'm', stream: async () => [] },
      'defineModel.stream: Expected an async generator function, such as `async *stream(request, { signal }) { … }`, got an async function without `*`, which returns a promise',
    ],
    [
      { model: 'm', stream: function* () {} },
      'defineModel.stream: Expected an async generator function, such as `async *stream(request, { signal }) { … }`, got a generator function without `async`',
    ],
    [{ stream }, "defineModel.model: Expected the provider's name of the model"],
    [{ model: 'm', stream, name: '' }, 'defineModel.name: Expected a non-empty string'],
    [{ model: 'm', stream, secrets: 'x' }, 'defineModel.secrets: Expected a list of strings'],
    [
      { model: 'm', stream, contextwindow: 1 },
      'defineModel.contextwindow: Unknown field; did you mean `contextWindow`?',
    ],
    [{ model: 'm', stream, baseUrl: 'http://x' }, 'defineModel.baseUrl: Unknown field; known are `name`, `model`, '],
    [
      { model: 'm', stream, contextWindow: 'x' },
      'defineModel.contextWindow: Expected a whole number of at least 1, got a string',
    ],
    [
      { model: 'm', stream, prices: { prompt: 1 } },
      'defineModel.prices.completion: Expected a price from 0 to 1000000',
    ],
  ])('%#', (definition, message) => {
    expect(() => defineModel(definition as ModelDefinition)).toThrow(message);
  });

  it('a plain function may return an async generator', () => {
    expect(model((...given) => stream(...given))).toMatchObject({ model: 'm' });
  });

  it('durations may be words', () => {
    expect(model(stream, { idleTimeout: '30s' as never })).toMatchObject({ idleTimeout: 30_000 });
  });
});
