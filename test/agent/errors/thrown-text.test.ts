import { thrownText } from '../../../agent/errors/thrown-text';

const refused = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });

test.each([
  ['a text', 'a plain string', 'a plain string'],
  ['an error', new TypeError('no id'), 'no id'],
  ['an error without a message', new TypeError(''), 'TypeError'],
  ['nothing', undefined, 'undefined'],
  ['a symbol', Symbol('oops'), 'Symbol(oops)'],
  ['an object with a message', { message: 'duplicate key', code: '23505' }, 'duplicate key'],
  ['an object without one', { code: 42, hint: 'try later' }, '{"code":42,"hint":"try later"}'],
  ['an object without a prototype', Object.create(null), 'a value that cannot be shown'],
  ['a cause', new Error('fetch failed', { cause: refused() }), 'fetch failed: connect ECONNREFUSED 127.0.0.1:1'],
  [
    'a cause that is a plain object',
    new Error('Failed query', { cause: { message: 'duplicate key' } }),
    'Failed query: duplicate key',
  ],
  [
    'a cause that the message repeats',
    new Error('Sending failed: no route', { cause: new Error('no route') }),
    'Sending failed: no route',
  ],
  [
    'addresses that all refuse',
    new Error('fetch failed', { cause: Object.assign(new AggregateError([refused()], ''), { code: 'ECONNREFUSED' }) }),
    'fetch failed: connect ECONNREFUSED 127.0.0.1:1',
  ],
  ['promises that all failed', new AggregateError([new Error('one')], 'All failed'), 'All failed: one'],
  ['a getter that throws', Object.defineProperty({}, 'message', { get: () => x() }), '[object Object]'],
])('%s that is thrown is shown as a text', (_, thrown, text) => {
  expect(thrownText(thrown)).toBe(text);
});

test('an error that is its own cause ends', () => {
  const error = new Error('round and round');
  error.cause = error;
  expect(thrownText(error)).toBe('round and round');
});

function x(): never {
  throw new Error('getter');
}
