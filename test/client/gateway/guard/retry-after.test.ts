import { RetryAfter } from '../../../../client/gateway/guard/retry-after';

test('a few refusals come back after two seconds, a thousand of one moment spread over twenty, and the next ones soon again', () => {
  const pace = new RetryAfter();
  const few = Array.from({ length: 50 }, () => pace.next(0));
  expect(new Set(few)).toEqual(new Set(['2']));
  const many = Array.from({ length: 950 }, () => Number(pace.next(1000)));
  expect(Math.max(...many)).toBeGreaterThan(10);
  expect(Math.max(...many)).toBeLessThanOrEqual(22);
  expect(many.every(Number.isInteger)).toBe(true);
  expect(many.filter((seconds) => seconds < 4).length).toBeLessThan(500);
  expect(pace.next(12_000)).toBe('2');
});
