import { readResult } from '../../../activities/tools/read-result';

const spec = { modelName: 'look' };
const read = (value: unknown) => readResult(spec, value);

class Parcel {
  readonly weight = 3;
  #owner = 'ann';
  get owner() {
    return this.#owner;
  }
}

class Hidden {
  readonly #owner = 'ann';
  toString() {
    return this.#owner;
  }
}

class Money {
  readonly #cents = 1250;
  toJSON() {
    return `${this.#cents / 100} EUR`;
  }
}

const cycle: { self?: unknown } = {};
cycle.self = cycle;
const refusal = Object.assign(new RangeError('too far'), { code: 'E_FAR' });

it.each<[string, unknown, string]>([
  ['a text', 'a text', 'a text'],
  ['an empty text', '', ''],
  ['an object', { a: 1 }, '{"a":1}'],
  ['an object without fields', {}, '{}'],
  ['an object without a prototype', Object.create(null), '{}'],
  ['a list', [1, 2], '[1,2]'],
  ['an empty list', [], '[]'],
  ['null', null, 'null'],
  ['nothing', undefined, 'done'],
  ['zero', 0, '0'],
  ['fields without a value', { a: undefined, b: () => 1, c: 2 }, '{"c":2}'],
  ['a map with texts as keys', new Map([['a', 1]]), '{"a":1}'],
  ['a map with other keys', new Map<unknown, unknown>([[1, 'one']]), '[[1,"one"]]'],
  ['an empty map', new Map(), '{}'],
  ['a set', new Set(['a', 'b']), '["a","b"]'],
  [
    'a map of sets, deep inside',
    { in: [new Map([['a', new Set([new Map([['b', 1]])])]])] },
    '{"in":[{"a":[{"b":1}]}]}',
  ],
  ['an error inside', { why: refusal }, '{"why":{"name":"RangeError","message":"too far","code":"E_FAR"}}'],
  ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ['an invalid date', { at: new Date('soon') }, '{"at":"Invalid Date"}'],
  ['a large integer', { id: 2n ** 64n }, '{"id":"18446744073709551616"}'],
  ['numbers that JSON does not have', [Number.NaN, Number.POSITIVE_INFINITY, -1], '["NaN","Infinity",-1]'],
  ['a boxed number', new Number(5), '5'],
  ['the fields of an instance', new Parcel(), '{"weight":3}'],
  ['what `toJSON` of an instance gives', { price: new Money() }, '{"price":"12.5 EUR"}'],
  ['an address', new URL('https://a.b/c'), '"https://a.b/c"'],
  ['a part without its text', { type: 'text' }, '{"type":"text"}'],
  ['a part with another text', { type: 'text', text: 7 }, '{"type":"text","text":7}'],
  ['a text without a type', { text: 'see' }, '{"text":"see"}'],
  ['media without a type', { type: 'media', data: 'AAAA' }, '{"type":"media","data":"AAAA"}'],
  ['media without data', { type: 'media', mediaType: 'image/png' }, '{"type":"media","mediaType":"image/png"}'],
  ['parts and a text', [{ type: 'text', text: 'see' }, 'more'], '[{"type":"text","text":"see"},"more"]'],
])('%s is shown', (_what, value, text) => {
  expect(read(value)).toEqual([{ type: 'text', text }]);
});

it('takes message parts unchanged', () => {
  const image = { type: 'media' as const, mediaType: 'image/png', data: 'AAAA' };
  const link = { type: 'media' as const, mediaType: 'image/png', url: 'https://a.b/c.png' };
  const see = { type: 'text' as const, text: 'see' };
  expect([image, link, see].map(read)).toEqual([[image], [link], [see]]);
  expect(read([see, image])).toEqual([see, image]);
});

it.each<[string, unknown, string]>([
  ['a promise', { rows: Promise.resolve(1) }, '`rows` is a promise: await it'],
  ['an iterator', new Map([['a', 1]]).values(), 'JSON keeps nothing of it, [object Map Iterator]: return plain data'],
  ['a regular expression', { find: /a/ }, 'JSON keeps nothing of `find`, [object RegExp]: return plain data'],
  ['hidden fields', [new Hidden()], 'JSON keeps nothing of `0`, an instance of `Hidden`: return plain data'],
  ['bytes', { page: Buffer.from('a') }, '`page` is binary data: return a media part, or a text in base64'],
  ['numbers in a buffer', new Float32Array(2), 'it is binary data: '],
  ['a buffer', new ArrayBuffer(2), 'it is binary data: '],
  ['a function', () => 1, 'it is a function'],
  ['a symbol', Symbol('a'), 'it is a symbol'],
  ['a cycle', cycle, 'Converting circular structure to JSON'],
  ['a map that contains itself', new Map().set('a', cycle), 'Converting circular structure to JSON'],
])('%s is refused, and the model told that the tool ran', (_what, value, problem) => {
  expect(read(value)).toMatchObject({
    error: {
      type: 'InvalidResult',
      message: expect.stringContaining(`\`look\` ran, but its result cannot be written as JSON: ${problem}`),
    },
  });
});

it('an error that is returned counts as thrown', () => {
  expect(() => read(refusal)).toThrow(refusal);
});

it('levels count as they are written', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : new Map([['a', nested(levels - 1)]]));
  expect(read(nested(200))).toHaveLength(1);
  expect(read(nested(201))).toMatchObject({ error: { type: 'ResultTooLarge' } });
});
