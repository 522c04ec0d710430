import fc from 'fast-check';
import { defined } from '../../../agent/values/defined';

it('leaves out only undefined fields', () => {
  const fields = { a: undefined, b: null, c: 0, d: '', e: false, f: { g: undefined } };
  expect(defined(fields)).toStrictEqual({ b: null, c: 0, d: '', e: false, f: { g: undefined } });
  expect(fields).toHaveProperty('a');
});

it('treats fields like JSON does', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd');
  fc.assert(
    fc.property(fc.dictionary(key, fc.option(fc.jsonValue(), { nil: undefined })), (fields) => {
      expect(Object.keys(defined(fields))).toEqual(Object.keys(JSON.parse(JSON.stringify(fields))));
    }),
  );
});
