import { timeOf } from '../../../cli/replay/since';

const now = Date.parse('2026-03-10T12:00:00Z');

it.each([
  ['7d', '2026-03-03T12:00:00.000Z'],
  ['90m', '2026-03-10T10:30:00.000Z'],
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000Z'],
])('reads %s', (text, time) => {
  expect(timeOf(text, now)?.toISOString()).toBe(time);
});

it.each(['', '7', 'yesterday', '-7d', '2026-13-01', '2026-03-11', '99999999999999d', '1/2/2026'])(
  'refuses `%s`',
  (text) => {
    expect(timeOf(text, now)).toBeUndefined();
  },
);
