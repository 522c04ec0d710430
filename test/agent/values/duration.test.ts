import fc from 'fast-check';
import { milliseconds } from '../../../agent/values/duration';

it.each<[unknown, number]>([
  [1, 1],
  [1.4, 1],
  [1.5, 2],
  [86_400_000, 86_400_000],
  ['1ms', 1],
  ['250ms', 250],
  ['30s', 30_000],
  ['5m', 300_000],
  ['2h', 7_200_000],
  ['3d', 259_200_000],
  ['2w', 1_209_600_000],
  ['1.5s', 1500],
  ['0.25s', 250],
  ['10.75m', 645_000],
  ['0.5ms', 1],
  [' 5m\n', 300_000],
])('%j is %d milliseconds, rounded', (duration, ms) => {
  expect(milliseconds(duration)).toBe(ms);
});

it.each<unknown>([
  ...[0, -0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ...[
    '',
    'soon',
    '5',
    's',
    '0s',
    '0.0s',
    '0.4ms',
    '0.0004s',
    '-5s',
    '+5s',
    '5 s',
    '5S',
    '5sec',
    'x5s',
    '5sx',
    '5s 3m',
    '.5s',
  ],
  ...['5.s', '5..5s', '1.5.5s', '1e3s', '5s5', '5min', '5y', '٥s', 'Infinitys'],
  ...[undefined, null, true, {}, ['5s'], new Date(5)],
])('%j is not a duration', (duration) => {
  expect(milliseconds(duration)).toBeUndefined();
});

// The number 0.4 rounds to 0 milliseconds, as does the text '0.4ms'; a text of 400 digits gives Infinity.
it('a number that rounds to zero, and a text too large for a number, are not durations', () => {
  expect([milliseconds(0.4), milliseconds(`${'9'.repeat(400)}s`)]).toEqual([undefined, undefined]);
});

it('a duration in any unit is the same number of milliseconds', () => {
  const units = { ms: 1, s: 1000, m: 60 * 1000, h: 60 * 60 * 1000, d: 24 * 60 * 60 * 1000, w: 7 * 24 * 60 * 60 * 1000 };
  const unit = fc.constantFrom(...Object.entries(units));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), unit, (n, [name, ms]) => {
      expect(milliseconds(`${n}${name}`)).toBe(n * ms);
      expect(milliseconds(n * ms)).toBe(n * ms);
    }),
  );
});
