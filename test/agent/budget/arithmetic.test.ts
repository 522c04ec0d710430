import fc from 'fast-check';
import { KINDS, kindsOf, leftOf, limitOf, minus, NOTHING, plus, tighter } from '../../../agent/budget/amounts';
import { bothOf, budgetSpec } from '../../../agent/budget/budget';
import { budgetProblem } from '../../../agent/budget/check-budget';
import { type Free, isNothing, reservedBy, shareOf } from '../../../agent/budget/shares';
import { sumOf } from '../../../agent/model/cost/money';

const whole = fc.integer({ min: 0, max: 1_000_000 });
const dollars = fc.integer({ min: 0, max: 5_000_000_000 }).map((billionths) => billionths / 1e9);
const amounts = fc.record({
  ...{ tokens: whole, cost: dollars, toolCalls: whole, modelCalls: whole, time: whole, deadline: whole },
});
const limits = fc.record(
  {
    tokens: whole,
    cost: dollars.map((amount) => ({ amount, currency: 'USD' })),
    toolCalls: whole,
    modelCalls: whole,
    deadline: fc.integer({ min: 1, max: 1_000_000 }),
  },
  { requiredKeys: [] },
);
const free: fc.Arbitrary<Free> = fc
  .record({ tokens: whole, cost: dollars, toolCalls: whole, modelCalls: whole }, { requiredKeys: [] })
  .map((some) => ({ ...some, currency: 'USD' }));

describe('the arithmetic of a budget', () => {
  it('spent, reserved and left are the limit together, and left is never negative', () => {
    fc.assert(
      fc.property(amounts, amounts, amounts, (limit, spent, reserved) => {
        for (const kind of KINDS) {
          const left = leftOf(limit[kind], spent[kind], reserved[kind]);
          expect(left).toBeGreaterThanOrEqual(0);
          const used = sumOf(spent[kind], reserved[kind]);
          if (used <= limit[kind]) expect(sumOf(used, left)).toBe(limit[kind]);
          else expect(left).toBe(0);
        }
      }),
    );
  });

  it('what is added and taken away again leaves nothing behind', () => {
    fc.assert(fc.property(amounts, amounts, (a, b) => expect(minus(plus(a, b), b)).toEqual(a)));
    fc.assert(fc.property(amounts, (a) => expect(plus(a, NOTHING)).toEqual(a)));
  });

  it('of two limits the smaller one counts, in any order', () => {
    fc.assert(
      fc.property(limits, limits, (a, b) => {
        const both = tighter(a, b);
        expect(tighter(b, a)).toEqual(both);
        for (const kind of kindsOf(both)) {
          const given = [limitOf(a, kind), limitOf(b, kind)].filter((limit) => limit !== undefined);
          expect(limitOf(both, kind)).toBe(Math.min(...given));
        }
      }),
    );
  });

  it('a caller tells the model earlier, but never later, than the agent', () => {
    const spec = (soft?: number) => budgetSpec({ tokens: 1, ...(soft === undefined ? {} : { soft }) });
    expect(bothOf(spec(0.5), spec(0.9)).soft).toBe(0.5);
    expect(bothOf(spec(), spec(0.9)).soft).toBe(0.9);
    expect(bothOf(spec(), spec())).not.toHaveProperty('soft');
  });
});

describe('shares', () => {
  it('that are given one after another are never more than what was free, and none exceeds its service', () => {
    fc.assert(
      fc.property(free, fc.array(limits, { minLength: 1, maxLength: 8 }), (all, asked) => {
        let left = all;
        for (const [i, own] of asked.entries()) {
          const share = shareOf(left, [own, ...asked.slice(i + 1)]);
          for (const kind of kindsOf(own)) expect(limitOf(share, kind)).toBeLessThanOrEqual(limitOf(own, kind) ?? 0);
          const taken = reservedBy(share);
          for (const kind of ['tokens', 'cost', 'toolCalls', 'modelCalls'] as const) {
            if (left[kind] === undefined) continue;
            expect(limitOf(share, kind)).toBeLessThanOrEqual(left[kind]);
            left = { ...left, [kind]: sumOf(left[kind], -(taken[kind] ?? 0)) };
            expect(left[kind]).toBeGreaterThanOrEqual(0);
          }
        }
      }),
    );
  });

  it('of agents without a budget are equal, to the last token', () => {
    const shares = (tokens: number) => {
      let left = tokens;
      return [0, 1, 2].map((i) => {
        const { tokens: share = 0 } = shareOf({ tokens: left }, [{}, ...Array.from({ length: 2 - i }, () => ({}))]);
        left -= share;
        return share;
      });
    };
    expect(shares(300)).toEqual([100, 100, 100]);
    expect(shares(100)).toEqual([33, 33, 34]);
    expect(shares(2)).toEqual([0, 1, 1]);
  });

  it.each<[string, Free, Parameters<typeof shareOf>[1], object]>([
    [
      'a budget is taken first',
      { cost: 1, currency: 'USD' },
      [{}, { cost: { amount: 0.7, currency: 'USD' } }],
      { cost: { amount: 0.3, currency: 'USD' } },
    ],
    [
      'two budgets compete for the rest',
      { cost: 0.4, currency: 'USD' },
      [{ cost: { amount: 0.6, currency: 'USD' } }],
      { cost: { amount: 0.4, currency: 'USD' } },
    ],
    ['what is not limited is not shared', { modelCalls: 5 }, [{ tokens: 9 }], { tokens: 9, modelCalls: 5 }],
    ['the deadline holds for all', { deadline: 900 }, [{}, {}], { deadline: 900 }],
  ])('%s', (_what, all, asked, share) => {
    expect(shareOf(all, asked)).toEqual(share);
  });

  it.each([
    [{ tokens: 0 }, true],
    [{ cost: { amount: 0, currency: 'USD' } }, true],
    [{ modelCalls: 0 }, true],
    [{ toolCalls: 0 }, false],
    [{ tokens: 1 }, false],
  ])('%j leaves no model call: %s', (share, nothing) => {
    expect(isNothing(share)).toBe(nothing);
  });
});

it('whatever is given as a budget is accepted or refused, never an error', () => {
  fc.assert(
    fc.property(fc.anything(), (given) => {
      const wrong = budgetProblem(given);
      if (wrong !== undefined) expect(wrong.problem.length).toBeGreaterThan(5);
    }),
  );
  expect(
    budgetProblem({ tokens: 0, cost: { amount: 0, currency: 'EUR' }, time: '1h', soft: 1, perExchange: {} }),
  ).toBeUndefined();
});
