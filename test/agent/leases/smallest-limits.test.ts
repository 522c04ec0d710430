import fc from 'fast-check';
import type { ModelLimits } from '../../../agent/leases/model-limits';
import { remembered, sameLimits, smallestLimits } from '../../../agent/leases/smallest-limits';

const limits: fc.Arbitrary<ModelLimits> = fc.record(
  { requestsPerMinute: fc.nat(9), tokensPerMinute: fc.nat(9), concurrent: fc.nat(9) },
  { requiredKeys: [] },
);

test('the smallest limits are within those of every worker, and each is that of one', () => {
  fc.assert(
    fc.property(fc.array(limits, { maxLength: 4 }), (all) => {
      const least = smallestLimits(all);
      for (const field of ['requestsPerMinute', 'tokensPerMinute', 'concurrent'] as const) {
        const given = all.flatMap(({ [field]: limit }) => (limit === undefined ? [] : [limit]));
        expect(given.every((limit) => Number(least[field]) <= limit)).toBe(true);
        expect(given.includes(least[field] as number)).toBe(given.length > 0);
        expect(field in least).toBe(given.length > 0);
      }
      expect(all.every((one) => sameLimits(one, least))).toBe(
        all.every((one) => all.every((two) => sameLimits(one, two))),
      );
    }),
  );
});

test('the limits of a worker that asks no more are forgotten after a minute', () => {
  const asked = { gone: { limits: { concurrent: 1 }, at: 0 }, here: { limits: { concurrent: 5 }, at: 30_000 } };
  expect(Object.keys(remembered(asked, 59_999))).toEqual(['gone', 'here']);
  expect(Object.keys(remembered(asked, 60_000))).toEqual(['here']);
});
