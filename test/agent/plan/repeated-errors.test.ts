import { checkRepeated, countError, isHopeless, type TurnError } from '../../../agent/plan/repeated-errors';

const failed: TurnError = { type: 'ToolFailed', name: 'look', message: 'no' };
const counted = (...errors: (TurnError | undefined)[]) =>
  errors.reduce<ReturnType<typeof countError>>((before, error) => countError(before, error), undefined);
const times = (n: number, error = failed) => Array.from({ length: n }, () => error);

test.each<[string, (TurnError | undefined)[], number | undefined]>([
  ['no error', [undefined], undefined],
  ['one error', [failed], 1],
  ['equal errors', times(4), 4],
  ['another message', [...times(4), { ...failed, message: 'yes' }], 1],
  ['another tool', [...times(4), { ...failed, name: 'see' }], 1],
  ['another type', [...times(4), { ...failed, type: 'ToolTimedOut' }], 1],
  ['a call that could not be read', [...times(2), { type: 'ParseError', message: 'no' }], 1],
  ['a turn without an error between them', [...times(4), undefined, failed], 1],
])('%s', (_, errors, expected) => {
  expect(counted(...errors)?.times).toBe(expected);
});

test('the fifth equal error is the last', () => {
  expect(isHopeless(counted(...times(4)))).toBe(false);
  expect(() => checkRepeated(counted(...times(4)))).not.toThrow();
  expect(isHopeless(counted(...times(5)))).toBe(true);
  expect(() => checkRepeated(counted(...times(5)))).toThrow(
    expect.objectContaining({ type: 'ErrorRepeated', data: { ...failed, times: 5 } }),
  );
});

test('what is kept of a message is bounded', () => {
  const long = { ...failed, message: 'x'.repeat(10_000) };
  expect(counted(...times(5, long))).toMatchObject({ times: 5, message: 'x'.repeat(500) });
});
