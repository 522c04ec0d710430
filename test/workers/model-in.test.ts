// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of temporal.yaml are written so.
import { createWorker } from 'holdfast/worker';
import { checkedModels } from '../../workers/load/model-in';
import { object } from '../activities/model/ai-sdk/object';

const server = { baseUrl: 'http://x/v1', model: 'm' };
const EXPECTED = 'Expected a model: what `defineModel` or `aiSdk` returns, or an object with `baseUrl` and `model`';

describe('models that a program passes to a worker', () => {
  it.each<[given: unknown, problem: string]>([
    [undefined, `models.own: ${EXPECTED}`],
    ['openai/gpt-5', `models.own: ${EXPECTED}`],
    [{ ...server, baseUrl: 'x:80/v1' }, 'models.own.baseUrl: Expected a URL that begins with `http://` or `https://`'],
    [{ baseURL: 'http://x/v1', model: 'm' }, 'did you mean `baseUrl`?'],
    [{ ...server, temprature: 1 }, 'did you mean `temperature`?'],
    [{ ...server, patience: 'soon' }, "models.own.patience: Expected milliseconds or a duration such as '30s'"],
    [{ ...server, contextWindow: '8k' }, 'models.own.contextWindow: Expected a whole number of at least 1'],
    [{ ...server, prices: { prompt: 1 } }, 'models.own.prices.completion: Expected a price'],
    [{ ...server, api: 'responses', seed: 1 }, 'models.own.seed: OpenAI Responses has no field for `seed`'],
    [{ ...server, apiKey: '${OPENAI_API_KEY}' }, 'models.own.apiKey: Only temporal.yaml fills in `${NAME}`'],
    [
      { ...server, headers: { 'X-Key': '${KEY:-}' } },
      'models.own.headers.X-Key: Only temporal.yaml fills in `${NAME}`',
    ],
    [{ ...server, apiKey: 'bearer abc' }, 'models.own.apiKey: Expected the key alone: `Bearer` is added to it'],
    [
      { ...server, prices: async () => ({ cost: 1 }) },
      'models.own.prices: Expected a function that returns the price at once',
    ],
    [{ module: './models.ts' }, 'Only temporal.yaml takes a `module`; import the model from it'],
    [object([]), 'It is a model of the AI SDK; use `aiSdk(model)`'],
    [Promise.resolve(server), 'It is a Promise; use what it resolves to'],
  ])('are refused at its start: %p', async (own, problem) => {
    const made = createWorker({ agents: [], config: {} as never, models: { own } as never });
    await expect(made).rejects.toThrow(problem);
    await expect(made).rejects.toMatchObject({ type: 'InvalidDefinition' });
  });

  it.each([
    ['', 'models: The alias of a model is empty; give it a name, such as `default`'],
    [' ', 'models: The alias of a model is empty; give it a name, such as `default`'],
    ['__proto__', 'models: `__proto__` cannot be the alias of a model; choose another one'],
  ])('are refused under the alias `%s`', (alias, problem) => {
    expect(() => checkedModels(Object.fromEntries([[alias, server]]))).toThrow(problem);
  });

  it('are read as those of modules: durations as milliseconds, prices as they are', () => {
    const prices = () => 1;
    expect(checkedModels({ a: { ...server, apiKey: undefined, idleTimeout: 5, patience: '1h', prices } })).toEqual({
      a: { ...server, idleTimeout: 5, patience: 3_600_000, prices },
    });
  });
});
