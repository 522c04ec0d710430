import { defineAgent } from 'holdfast';
import { checkReferences } from '../../workers/check-references';

const check = (ranker: string | undefined, aliases: string[]) => {
  const toolFilter = ranker === undefined ? true : { ranker };
  const agent = defineAgent({ name: 'test.ranked', instructions: 'x', toolFilter });
  const embeddings = Object.fromEntries(aliases.map((alias) => [alias, { local: 'minilm' as const }]));
  const models = { default: { baseUrl: 'http://a.b', model: 'm' } };
  return () => checkReferences([agent], { models, mcp: {}, outlets: {}, embeddings });
};

test('a worker has the embeddings that an agent names; others need none', () => {
  expect(check('local', ['local'])).not.toThrow();
  expect(check('bm25', [])).not.toThrow();
  expect(check(undefined, [])).not.toThrow();
  expect(check('locl', ['local'])).toThrow(
    'Agent `test.ranked`.toolFilter.ranker: There is no embedding model `locl` under `embeddings` in temporal.yaml; did you mean `local`?',
  );
});
