import fc from 'fast-check';
import { canonicalJson, isJsonObject, jsonBytes, utf8Bytes } from '../../../agent/values/json';

it.each<[unknown, boolean]>([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  [undefined, false],
  ['{}', false],
  [7, false],
  [() => ({}), false],
])('tells whether %j is a JSON object', (value, expected) => {
  expect(isJsonObject(value)).toBe(expected);
});

describe('canonicalJson', () => {
  it('sorts the keys of every object by their code units, but no list', () => {
    const value = { b: [{ z: 1, y: null }, 'x', 2, 1], a: { d: false, c: 'text', C: [] }, ä: 1, 10: 0, 9: 0 };
    expect(canonicalJson(value)).toBe(
      '{"9":0,"10":0,"a":{"C":[],"c":"text","d":false},"b":[{"y":null,"z":1},"x",2,1],"ä":1}',
    );
    expect(canonicalJson([3, 1, 2])).toBe('[3,1,2]');
    expect(canonicalJson('text')).toBe('"text"');
    expect(canonicalJson(null)).toBe('null');
  });

  it('gives equal texts for equal values in any order of keys, and parses to the same value', () => {
    const key = fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('a', 'b', 'B', 'ü') });
    const tree = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null)),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 5 }),
      ),
    })).value;
    fc.assert(
      fc.property(tree, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reordered(value))).toBe(text);
        expect(JSON.parse(text)).toEqual(value);
      }),
    );
  });
});

/** The same value, with the keys of every object in reverse order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([key, inner]): [string, unknown] => [key, reordered(inner)]);
  return Object.fromEntries(fields.reverse());
}

describe('utf8Bytes', () => {
  it.each<[string, number]>([
    ['', 0],
    ['a', 1],
    ['\u007f', 1],
    ['\u0080', 2],
    ['\u07ff', 2],
    ['\u0800', 3],
    ['\ud7ff', 3],
    ['\ue000', 3],
    ['\uffff', 3],
    ['\u{10000}', 4],
    ['\u{10ffff}', 4],
    ['😀a😀', 9],
    ['😀é', 6],
    ['Āé', 4],
    ['あé', 5],
    ['\ud7ffé', 5],
    ['\ue000é', 5],
    ['\udc00é', 5],
    // Halves of characters are written as U+FFFD.
    ['\ud800', 3],
    ['\udbff', 3],
    ['\udc00', 3],
    ['\udfff', 3],
  ])('of %j are %i', (text, bytes) => {
    expect(utf8Bytes(text)).toBe(bytes);
    expect(Buffer.byteLength(text)).toBe(bytes);
  });

  it('are those that Node.js counts, for every text of whole characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
      }),
    );
  });

  // A half must not be paired with a following character above U+007F: 1 to 2 bytes would be missing.
  it('are those that Node.js counts, including halves of characters', () => {
    expect(utf8Bytes('\ud83dé')).toBe(Buffer.byteLength('\ud83dé'));
  });
});

it('the bytes of a value are those of its JSON, without undefined fields', () => {
  expect(jsonBytes(undefined)).toBe(0);
  expect(jsonBytes(null)).toBe(4);
  expect(jsonBytes('ä')).toBe(4);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(jsonBytes(value)).toBe(Buffer.byteLength(JSON.stringify(value)));
    }),
  );
});
