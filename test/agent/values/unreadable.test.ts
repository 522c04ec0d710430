import { HoldfastError } from '../../../agent/errors/error';
import { readable, Unreadable } from '../../../agent/values/unreadable';

it.each<unknown>([{ a: 1 }, 'text', null, undefined, { problem: 'it only looks like one' }])(
  '%j can be read, and is given as it is',
  (value) => {
    expect(readable(value, 'the input')).toBe(value);
  },
);

it('a value that could not be decoded is refused, with its name and what is wrong', () => {
  const read = () => readable<unknown>(new Unreadable('no key fits'), 'the input');
  expect(read).toThrow(new HoldfastError('UnreadablePayload', { what: 'the input', problem: 'no key fits' }));
  expect(read).toThrow('The payload of the input cannot be read: no key fits.');
});
