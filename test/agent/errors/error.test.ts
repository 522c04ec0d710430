import { HoldfastError, messageOf } from '../../../agent/errors/error';

it('an error has its type, its facts, and a text that is made of them', () => {
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

it('a text of one’s own replaces the one that is made, also an empty one', () => {
  expect(new HoldfastError('RunNotFound', { id: 'run-1' }, { message: 'Gone.' }).message).toBe('Gone.');
  expect(new HoldfastError('RunNotFound', { id: 'run-1' }, { message: '' }).message).toBe('');
});

it('a cause is kept where there is one, whatever was thrown', () => {
  const cause = new Error('disk full');
  expect(new HoldfastError('RunNotFound', { id: 'run-1' }, { cause }).cause).toBe(cause);
  expect(Object.hasOwn(new HoldfastError('RunNotFound', { id: 'run-1' }, { cause: undefined }), 'cause')).toBe(true);
  expect(Object.hasOwn(new HoldfastError('RunNotFound', { id: 'run-1' }), 'cause')).toBe(false);
});

it('an error that crossed a process keeps its text, its facts and its cause, also of a type that is not known here', () => {
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
])('of %s one line is said', (_what, thrown, text) => {
  expect(messageOf(thrown)).toBe(text);
});
