import {
  anyName,
  anyOf,
  count,
  type Form,
  flag,
  json,
  listOf,
  maybe,
  number,
  objectOf,
  oneOf,
  recordOf,
  text,
  variantsOf,
} from '../../../agent/values/form';

interface Row {
  name: string;
  size?: number;
}
const row = objectOf<Row>({ name: text, size: maybe(number) });
type Shape = { type: 'dot' } | { type: 'line'; to: number };
const shape = variantsOf<Shape>({
  dot: objectOf<{ type: 'dot' }>({ type: oneOf({ dot: true }) }),
  line: objectOf<Extract<Shape, { type: 'line' }>>({ type: oneOf({ line: true }), to: number }),
});
const either = anyOf<Row | { size: number }>('a row', row, objectOf<{ size: number }>({ size: number }));

test.each<[Form<unknown>, unknown]>([
  [row, { name: 'a' }],
  [row, { name: 'a', size: 1, more: 'of a newer worker' }],
  [listOf(row), []],
  [recordOf(flag), JSON.parse('{"__proto__": true}')],
  [shape, { type: 'line', to: 1 }],
  [either, { size: 1 }],
  [json, null],
])('form %# takes %j', (form, value) => {
  expect(form(value, 'it')).toBeUndefined();
});

test.each<[Form<unknown>, unknown, string]>([
  [row, null, 'Expected `it` to be an object'],
  [row, [], 'Expected `it` to be an object'],
  [row, {}, 'Expected `it.name` to be a text'],
  [row, { name: 'a', size: null }, 'Expected `it.size` to be a number'],
  [number, Number.NaN, 'Expected `it` to be a number'],
  [count, 1.5, 'Expected `it` to be a whole number of at least 0'],
  [listOf(row), { length: 0 }, 'Expected `it` to be a list'],
  [listOf(row), [{ name: 'a' }, { name: 1 }], 'Expected `it[1].name` to be a text'],
  [recordOf(flag), JSON.parse('{"__proto__": 1}'), 'Expected `it.__proto__` to be true or false'],
  [recordOf(flag), { [`a\n${'b'.repeat(100)}`]: 1 }, `Expected \`it.a ${'b'.repeat(47)}…\` to be true or false`],
  [shape, { type: 'line' }, 'Expected `it.to` to be a number'],
  [shape, { type: 'toString' }, 'Expected `it.type` to be one of dot, line'],
  [shape, { type: ['dot'] }, 'Expected `it.type` to be one of dot, line'],
  [either, {}, 'Expected `it` to be a row'],
  [json, undefined, 'Expected `it` to be there'],
  [anyName, 1, 'Expected `it` to be a text'],
])('form %# says what is wrong with %j', (form, value, problem) => {
  expect(form(value, 'it')).toBe(problem);
});

test('a form that leaves out a field, or takes another type for it, does not compile', () => {
  // @ts-expect-error a field has no form
  objectOf<Row>({ name: text });
  // @ts-expect-error the field is a text
  objectOf<Row>({ name: number, size: maybe(number) });
  // @ts-expect-error the field may be absent
  objectOf<Row>({ name: text, size: number });
  // @ts-expect-error a name is missing
  oneOf<'a' | 'b'>({ a: true });
});
