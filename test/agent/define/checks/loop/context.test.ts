import { type AgentDefinition, defineAgent } from 'holdfast';
import { fault } from '../../../fault';

// A caller without types could write this.
const agent = (context: unknown, more: object = {}) =>
  fault(() => defineAgent({ name: 'a.b', context, ...more } as AgentDefinition));

it.each<[string, unknown, string]>([
  ['a text', 'trim', ': Expected an object, got `"trim"`'],
  ['an unknown setting', { treshold: 1 }, '.treshold: Unknown field; did you mean `threshold`?'],
  [
    'an unknown strategy',
    { strategy: 'forget' },
    '.strategy: Expected `trim`, `summarise`, `tool-results` or a function, got `forget`',
  ],
  [
    'a size that is not whole',
    { threshold: 0.5 },
    '.threshold: Expected a whole number from 0 to 100000000, got `0.5`',
  ],
  ['nothing kept', { keep: 0 }, '.keep: Expected a whole number from 1 to 10000, got `0`'],
  ['a summary without room', { summaryTokens: 9 }, '.summaryTokens: Expected a whole number from 50 to 4000, got `9`'],
  [
    'a summary like a book',
    { summaryTokens: 4001 },
    '.summaryTokens: Expected a whole number from 50 to 4000, got `4001`',
  ],
  ['a negative end', { wrapUp: -1 }, '.wrapUp: Expected a whole number from 0 to 100000000, got `-1`'],
  ['a writer without a name', { model: '' }, '.model: Expected the alias of a model'],
  [
    'a writer that never writes',
    { strategy: 'tool-results', model: 'cheap' },
    '.model: No model writes summaries with this `strategy`; remove one of them',
  ],
  [
    'a writer beside a function',
    { strategy: () => '', model: 'cheap' },
    '.model: No model writes summaries with this `strategy`; remove one of them',
  ],
  ['a reserve that is a number', { reserve: 2000 }, '.reserve: Expected an object, got `2000`'],
  ['an unknown reserve', { reserve: { system: 1 } }, '.reserve.system: Unknown field; known are `output`, `safety`'],
  [
    'no room for answers',
    { reserve: { output: 0 } },
    '.reserve.output: Expected a whole number from 1 to 100000000, got `0`',
  ],
])('%s is refused as the use of a window', (_what, context, text) => {
  expect(agent(context)).toBe(`Agent \`a.b\`.context${text}`);
});

it('an unknown class of models is refused', () => {
  expect(agent(undefined, { modelClass: 'tiny' })).toBe(
    'Agent `a.b`.modelClass: Expected `small`, or nothing, got `tiny`',
  );
});

it('every setting is taken', () => {
  const context = {
    strategy: 'summarise',
    ...{ threshold: 1, keep: 1, summaryTokens: 50, model: 'cheap', wrapUp: 0 },
    reserve: { output: 1, safety: 0 },
  } as const;
  expect(defineAgent({ name: 'a.b', modelClass: 'small', context }).definition.context).toEqual(context);
});
