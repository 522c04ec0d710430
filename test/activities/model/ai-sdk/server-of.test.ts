import { aiSdk } from '../../../../activities/model/adapters/ai-sdk/ai-sdk';
import { serverOf } from '../../../../activities/model/adapters/ai-sdk/server-of';
import { originOf } from '../../../../activities/model/answer/provider-data';

/** A model as the object of a provider's package. */
const model = (config?: object) => ({
  specificationVersion: 'v3',
  provider: 'local.chat',
  modelId: 'm',
  doStream: () => Promise.reject(new Error('It is not called')),
  ...(config && { config }),
});
const compatible = (base: string) => model({ url: ({ path }: { path: string }) => `${base}${path}` });

it.each<[string, object | undefined, string | undefined]>([
  ['a text', { baseURL: 'https://a.b/v1' }, 'https://a.b/v1'],
  ['a function of the path', { url: ({ path }: { path: string }) => `https://a.b/v1${path}` }, 'https://a.b/v1'],
  [
    'a function of path and model',
    {
      url: ({ path, modelId }: { path: string; modelId: string }) =>
        `https://a.b/deployments/${modelId}${path}?key=abc`,
    },
    'https://a.b/deployments/m',
  ],
  ['a function', { baseUrl: () => 'https://a.b' }, 'https://a.b'],
  [
    'a function that lacks something',
    {
      url: () => {
        throw new Error('no resource name');
      },
    },
    undefined,
  ],
  ['a function of something else', { url: () => 7 }, undefined],
  ['nothing', {}, undefined],
  ['no configuration', undefined, undefined],
])('the server of a model that has %s', (_, config, server) => {
  expect(serverOf(model(config))).toBe(server);
});

it('what one server gave with an answer goes to no other with a model of the same name', () => {
  const [one, same, other] = ['https://a.b/v1', 'https://a.b/v1', 'https://c.d/v1'].map((base) =>
    originOf(aiSdk(compatible(base))),
  );
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});
