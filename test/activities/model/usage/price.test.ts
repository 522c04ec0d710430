import { spendingFor } from '../../../../activities/model/usage/price';
import { onceEach } from '../../../../activities/model/usage/warnings';
import type { Prices } from '../../../../agent/model/config';
import type { Usage } from '../../../../agent/model/cost/usage';

const usage: Usage = { prompt: 1000, completion: 100, cached: 600, cacheWritten: 300 };

it.each<[string, Prices | undefined, number, number | undefined]>([
  ['no prices', undefined, 1100, undefined],
  ['prices for both', { prompt: 2, completion: 10 }, 0.003, 0.003],
  ['a price for what is read from the cache', { prompt: 2, completion: 10, cached: 0.5 }, 0.0021, 0.0021],
  ['prices for the cache', { prompt: 2, completion: 10, cached: 0.5, cacheWritten: 3 }, 0.0024, 0.0024],
  ['a model that costs nothing', { prompt: 0, completion: 0 }, 0, 0],
  ['a function', ({ prompt, completion }, { model }) => (model === 'm-1' ? prompt + 2 * completion : 0), 1200, 1200],
])('%s', (_what, prices, executionUnits, cost) => {
  const spent = spendingFor(usage, { prices, model: 'm-1' });
  expect(spent.usage).toBe(usage);
  expect(spent.executionUnits).toBeCloseTo(executionUnits, 10);
  if (cost === undefined) expect(spent).not.toHaveProperty('cost');
  else expect(spent.cost?.amount).toBeCloseTo(cost, 10);
});

it('no part of the prompt is paid for twice', () => {
  const prices = { prompt: 1, completion: 1, cached: 1, cacheWritten: 1 };
  const spent = spendingFor({ prompt: 10, completion: 0, cached: 8, cacheWritten: 9 }, { prices, model: 'm' });
  expect(spent.cost).toEqual({ amount: 0.00001, currency: 'USD' });
});

const thrown = () => {
  throw new Error('no such tariff');
};
const throwsNothing = () => {
  throw Object.create(null);
};
const getter = {
  get amount() {
    throw new Error('no amount');
  },
};
const proxy = new Proxy({}, { get: thrown, has: thrown, ownKeys: thrown });
const ownCatch = () => Object.assign(Promise.reject(new Error('later')), { catch: thrown });
const circle: { amount?: object } = {};
circle.amount = circle;
it.each<[string, () => unknown, string]>([
  ['throws', thrown, '`prices` failed, so tokens are counted instead of money: no such tariff'],
  ['returns nothing', () => undefined, 'got undefined'],
  ['returns a text', () => '3', "got '3'"],
  ['throws what has no text', throwsNothing, 'instead of money: a value that cannot be shown'],
  ['returns a promise', async () => 3, 'at once, got a promise'],
  ['returns a promise that rejects', async () => thrown(), 'at once, got a promise'],
  ['returns money without a currency', () => ({ amount: 3 }), 'got { amount: 3 }'],
  ['returns less than no money', () => ({ amount: -3, currency: 'EUR' }), 'got { amount: -3'],
  ['returns a getter that throws', () => getter, 'instead of money: no amount'],
  ['returns a proxy that throws', () => proxy, 'instead of money: no such tariff'],
  ['returns a promise with a method of its own', ownCatch, 'at once, got a promise'],
  ['returns a bigint', () => ({ amount: 10n, currency: 'EUR' }), 'got { amount: 10n'],
  ['returns a circle', () => circle, 'got <ref *1> { amount: [Circular *1] }'],
  ['returns what has no text', () => Object.create(null), 'got [Object: null prototype] {}'],
  ['returns a symbol', () => Symbol('x'), 'got Symbol(x)'],
  ['returns more money than there is', () => 1e300, 'from 0 to 9000000'],
  ['returns no number', () => Number.NaN, 'got NaN'],
  ['returns infinity', () => Number.POSITIVE_INFINITY, 'got Infinity'],
  ['returns less than 0', () => -1, 'got -1'],
])('a function that %s leaves tokens, and one warning', (_what, prices, said) => {
  const warn = jest.fn();
  const warnings = onceEach({ warn });
  for (let call = 0; call < 3; call++) {
    const priced = { prices: prices as () => number, model: 'm', warn: warnings('fast') };
    expect(spendingFor(usage, priced)).toEqual({ usage, executionUnits: 1100 });
  }
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn).toHaveBeenCalledWith({ model: 'fast' }, expect.stringMatching(/^Model `fast`: /));
  expect(warn.mock.calls[0]?.[1]).toContain(said);
});

it('a function cannot change the usage of the run', () => {
  const prices: Prices = (given) => {
    given.prompt = 0;
    return 1;
  };
  expect(spendingFor({ prompt: 3, completion: 1 }, { prices, model: 'm' }).usage).toEqual({ prompt: 3, completion: 1 });
});

it.each<[string, Prices]>([
  ['a price list', { prompt: 3_000_000, completion: 0, currency: 'EUR' }],
  ['a function', () => ({ amount: 3, currency: 'EUR' })],
])('%s names its currency', (_what, prices) => {
  expect(spendingFor({ prompt: 1, completion: 1 }, { prices, model: 'm' }).cost).toEqual({
    amount: 3,
    currency: 'EUR',
  });
});
