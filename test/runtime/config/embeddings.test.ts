import { entry, YamlFolder } from './yaml-folder';

const yaml = new YamlFolder();
const load = async (settings: string) =>
  (await yaml.load(entry('embeddings', 'default', settings))).embeddings?.default;

test('an embedding model is a server, or a local one', async () => {
  const server = 'baseUrl: https://a.b/v1\nmodel: m\nqueryPrefix: "query: "\ntimeout: 2s';
  expect(await load(server)).toEqual({
    baseUrl: 'https://a.b/v1',
    model: 'm',
    queryPrefix: 'query: ',
    timeout: 2000,
  });
  expect(await load('local: minilm')).toEqual({ local: 'minilm' });
});

test.each([
  ['no address', 'model: m', '`embeddings.default.baseUrl`: Expected a string, it has no value'],
  ['another local model', 'local: bert', 'Expected `minilm`'],
  ['no model', 'baseUrl: https://a.b/v1', '`embeddings.default.model`: Expected a string, it has no value'],
  ['a misspelt setting', 'baseUrl: https://a.b/v1\nmodel: m\nkey: x', 'There is no `key` here'],
])('%s is refused', async (_, settings, problem) => {
  await expect(load(settings)).rejects.toThrow(problem);
});
