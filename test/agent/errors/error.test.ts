import { HoldfastError, messageOf } from '../../../agent/errors/error';

it('an error has its type, its data, and a message made from them', () => {
  const error = new HoldfastError('RunNotFound', { id: 'run-1' });
  expect(error).toBeInstanceOf(Error);
  expect(error.name).toBe('HoldfastError');
  expect(error.toJSON()).toEqual({
    type: 'RunNotFound',
    message: 'There is no run `run-1`. Check the id and the namespace.',
    data: { id: 'run-1' },
  });
  expect(JSON.parse(JSON.stringify(error))).toEqual(error.toJSON());
});

it('a custom message, also an empty one, replaces the default message', () => {
  expect(new HoldfastError('RunNotFound', { id: 'run-1' }, { message: 'Gone.' }).message).toBe('Gone.');
  expect(new HoldfastError('RunNotFound', { id: 'run-1' }, { message: '' }).message).toBe('');
});

it('a cause of any kind is kept', () => {
  const cause = new Error('disk full');
  expect(new HoldfastError('RunNotFound', { id: 'run-1' }, { cause }).cause).toBe(cause);
  expect(Object.hasOwn(new HoldfastError('RunNotFound', { id: 'run-1' }, { cause: undefined }), 'cause')).toBe(true);
  expect(Object.hasOwn(new HoldfastError('RunNotFound', { id: 'run-1' }), 'cause')).toBe(false);
});

it('an error from another process keeps its message, data and cause, even if its type is unknown here', () => {
  const cause = new Error('disk full');
  const revived = HoldfastError.revive('OfTomorrow', 'Come back tomorrow.', { day: 2 }, cause);
  expect(revived).toBeInstanceOf(HoldfastError);
  expect(revived.toJSON()).toEqual({ type: 'OfTomorrow', message: 'Come back tomorrow.', data: { day: 2 } });
  expect(revived.cause).toBe(cause);
  expect(HoldfastError.revive('RunNotFound', 'Gone.', null).toJSON()).toEqual({
    type: 'RunNotFound',
    message: 'Gone.',
    data: {},
  });
});

it.each<[string, unknown, string]>([
  ['an error', new Error('disk full'), 'disk full'],
  ['an error of several lines', new Error('disk full\n  at write'), 'disk full'],
  ['an error without a text', new TypeError(''), 'TypeError'],
  ['a text', 'disk full\nnow', 'disk full'],
  ['an empty text', '', ''],
  ['nothing', undefined, 'undefined'],
  ['a number', 7, '7'],
])('%s becomes one line', (_what, thrown, text) => {
  expect(messageOf(thrown)).toBe(text);
});
