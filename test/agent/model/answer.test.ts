import {
  addSpending,
  addUsage,
  NO_SPENDING,
  NO_USAGE,
  plusSpending,
  type Spending,
  type Usage,
} from '../../../agent/model/answer';

it.each<[Usage, Usage, Usage]>([
  [NO_USAGE, NO_USAGE, { prompt: 0, completion: 0 }],
  [
    { prompt: 10, completion: 5 },
    { prompt: 3, completion: 2 },
    { prompt: 13, completion: 7 },
  ],
  [
    { prompt: 10, completion: 5, cached: 4, reasoning: 1 },
    { prompt: 3, completion: 2, cached: 2, reasoning: 3 },
    { prompt: 13, completion: 7, cached: 6, reasoning: 4 },
  ],
  [{ prompt: 10, completion: 5, cached: 4 }, NO_USAGE, { prompt: 10, completion: 5, cached: 4 }],
  [NO_USAGE, { prompt: 10, completion: 5, reasoning: 4 }, { prompt: 10, completion: 5, reasoning: 4 }],
  [
    { prompt: 10, completion: 5, cacheWritten: 4 },
    { prompt: 3, completion: 2, cacheWritten: 1, estimated: true },
    { prompt: 13, completion: 7, cacheWritten: 5, estimated: true },
  ],
  [
    { prompt: 1, completion: 1, cached: 0 },
    { prompt: 1, completion: 1, reasoning: 0 },
    { prompt: 2, completion: 2 },
  ],
])('the usage of %j and %j is %j', (a, b, sum) => {
  expect(addUsage(a, b)).toStrictEqual(sum);
});

const tokens: Spending = { usage: { prompt: 3, completion: 1 }, executionUnits: 4 };
const money: Spending = { usage: { prompt: 2, completion: 1 }, executionUnits: 0.5, cost: 0.5 };
const free: Spending = { usage: { prompt: 1, completion: 1 }, executionUnits: 0, cost: 0 };

it.each<[string, Spending, Spending, number | undefined]>([
  ['nothing and nothing', NO_SPENDING, NO_SPENDING, undefined],
  ['nothing and money', NO_SPENDING, money, 0.5],
  ['money and nothing', money, NO_SPENDING, 0.5],
  ['money and money', money, money, 1],
  ['money and a free call', money, free, 0.5],
  ['money and tokens', money, tokens, undefined],
  ['tokens and money', tokens, money, undefined],
  ['nothing and tokens', NO_SPENDING, tokens, undefined],
])('the cost of %s', (_what, a, b, cost) => {
  const sum = addSpending(a, b);
  expect(sum.cost).toBe(cost);
  expect('cost' in sum).toBe(cost !== undefined);
  expect(sum.executionUnits).toBe(a.executionUnits + b.executionUnits);
});

it('what is not about the cost stays', () => {
  expect(plusSpending({ text: 'hi', ...money }, tokens)).toEqual({
    text: 'hi',
    usage: { prompt: 5, completion: 2 },
    executionUnits: 4.5,
  });
});
