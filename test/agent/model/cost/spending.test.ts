import fc from 'fast-check';
import { sumOf } from '../../../../agent/model/cost/money';
import {
  addSpending,
  costText,
  moneyIn,
  NO_SPENDING,
  plusSpending,
  type Spending,
} from '../../../../agent/model/cost/spending';
import { addUsage, NO_USAGE, type Usage } from '../../../../agent/model/cost/usage';

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

const dollars = (amount: number) => ({ amount, currency: 'USD' });
const tokens: Spending = { usage: { prompt: 3, completion: 1 }, executionUnits: 4 };
const money: Spending = { usage: { prompt: 2, completion: 1 }, executionUnits: 0.5, cost: dollars(0.5) };
const free: Spending = { usage: { prompt: 1, completion: 1 }, executionUnits: 0, cost: dollars(0) };
const euros: Spending = { ...money, cost: { amount: 2, currency: 'EUR' } };
const unpriced = { calls: 1, tokens: 4 };

it.each<[string, Spending, Spending, Partial<Spending>]>([
  ['nothing and nothing', NO_SPENDING, NO_SPENDING, {}],
  ['nothing and money', NO_SPENDING, money, { cost: dollars(0.5) }],
  ['money and nothing', money, NO_SPENDING, { cost: dollars(0.5) }],
  ['money and money', money, money, { cost: dollars(1) }],
  ['money and a free call', money, free, { cost: dollars(0.5) }],
  ['money and tokens', money, tokens, { cost: dollars(0.5), unpriced }],
  ['tokens and money', tokens, money, { cost: dollars(0.5), unpriced }],
  ['tokens and tokens', tokens, tokens, { unpriced: { calls: 2, tokens: 8 } }],
  ['nothing and tokens', NO_SPENDING, tokens, { unpriced }],
  ['two currencies', addSpending(money, euros), money, { cost: dollars(1), otherCosts: [euros.cost ?? dollars(0)] }],
])('the cost of %s', (_what, a, b, cost) => {
  const { usage, executionUnits, ...sum } = addSpending(a, b);
  expect(sum).toStrictEqual(cost);
  expect(usage).toEqual(addUsage(a.usage, b.usage));
  expect(executionUnits).toBe(a.executionUnits + b.executionUnits);
});

it('money is added to a billionth, in any order', () => {
  const amount = fc.integer({ min: 0, max: 1e12 }).map((billionths) => billionths / 1e9);
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 50 }), (amounts) => {
      const exact = amounts.reduce((sum, one) => sum + BigInt(Math.round(one * 1e9)), 0n);
      expect(BigInt(Math.round(sumOf(...amounts) * 1e9))).toBe(exact);
      expect(sumOf(...[...amounts].reverse())).toBe(sumOf(...amounts));
    }),
  );
});

it('what is not about the cost stays', () => {
  expect(plusSpending({ text: 'hi', ...money }, tokens)).toEqual({
    text: 'hi',
    usage: { prompt: 5, completion: 2 },
    executionUnits: 4.5,
    cost: dollars(0.5),
    unpriced,
  });
});

it('a result without money does not say what has no price', () => {
  expect(moneyIn(addSpending(tokens, tokens))).toEqual({});
  expect(moneyIn(addSpending(money, tokens))).toEqual({ cost: dollars(0.5), unpriced });
});

it('the words for money name what they leave out', () => {
  expect(costText(tokens)).toBe('');
  expect(costText(addSpending(money, addSpending(tokens, tokens)))).toBe('0.5 USD and 2 calls without a price');
  expect(costText(addSpending(money, euros))).toBe('0.5 USD + 2 EUR');
});
