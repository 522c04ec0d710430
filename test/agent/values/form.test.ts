import {
  anyName,
  anyOf,
  count,
  exactly,
  type Form,
  flag,
  json,
  jsonObject,
  listOf,
  maybe,
  number,
  objectOf,
  oneOf,
  recordOf,
  text,
  variantsOf,
  withStatus,
  yes,
} from '../../../agent/values/form';

interface Row {
  name: string;
  size?: number;
}
type Shape = { type: 'dot' } | { type: 'line'; to: number };
interface Common {
  id: string;
}
type Job = Common & ({ status: 'open' } | { status: 'done'; at: number });

const row = () => objectOf<Row>({ name: text, size: maybe(number) });
const shape = () =>
  variantsOf<Shape>({
    dot: objectOf<{ type: 'dot' }>({ type: oneOf({ dot: true }) }),
    line: objectOf<Extract<Shape, { type: 'line' }>>({ type: oneOf({ line: true }), to: number }),
  });
const either = () => anyOf<Row | { size: number }>('a row', row(), objectOf<{ size: number }>({ size: number }));
const job = () =>
  withStatus<Job, Common>(objectOf<Common>({ id: text }), {
    open: objectOf<object>({}),
    done: objectOf<{ at: number }>({ at: number }),
  });
const color = () => oneOf<'red' | 'blue'>({ red: true, blue: true });

test.each<[() => Form<unknown>, unknown]>([
  [() => text, ''],
  [() => flag, false],
  [() => flag, true],
  [() => yes, true],
  [() => anyName, 'of a newer worker'],
  [() => number, -1.5],
  [() => count, 0],
  [() => count, Number.MAX_SAFE_INTEGER],
  [() => json, null],
  [() => json, 0],
  [() => jsonObject, {}],
  [() => exactly(3), 3],
  [() => exactly(false), false],
  [color, 'red'],
  [color, 'blue'],
  [row, { name: 'a' }],
  [row, { name: 'a', size: undefined }],
  [row, { name: 'a', size: 1, more: 'of a newer worker' }],
  [() => maybe(text), undefined],
  [() => maybe(text), 'a'],
  [() => listOf(row()), []],
  [() => listOf(row()), [{ name: 'a' }, { name: 'b' }]],
  [() => recordOf(flag), {}],
  [() => recordOf(flag), JSON.parse('{"a": false, "__proto__": true}')],
  [shape, { type: 'dot' }],
  [shape, { type: 'line', to: 1 }],
  [job, { id: 'j', status: 'open' }],
  [job, { id: 'j', status: 'done', at: 1 }],
  [either, { name: 'a' }],
  [either, { size: 1 }],
])('form %# accepts %j', (form, value) => {
  expect(form()(value, 'it')).toBeUndefined();
});

test.each<[() => Form<unknown>, unknown, string]>([
  [() => text, 1, 'Expected `it` to be a string'],
  [() => flag, 0, 'Expected `it` to be true or false'],
  [() => yes, false, 'Expected `it` to be true'],
  [() => anyName, 1, 'Expected `it` to be a string'],
  [() => number, Number.NaN, 'Expected `it` to be a number'],
  [() => number, '1', 'Expected `it` to be a number'],
  [() => count, 1.5, 'Expected `it` to be a whole number of at least 0'],
  [() => count, -1, 'Expected `it` to be a whole number of at least 0'],
  [() => count, '1', 'Expected `it` to be a whole number of at least 0'],
  [() => count, 2 ** 53, 'Expected `it` to be a whole number of at least 0'],
  [() => json, undefined, 'Expected `it` to be present'],
  [() => jsonObject, [], 'Expected `it` to be an object'],
  [() => jsonObject, null, 'Expected `it` to be an object'],
  [() => exactly(3), 4, 'Expected `it` to be 3'],
  [() => exactly(3), '3', 'Expected `it` to be 3'],
  [color, 'green', 'Expected `it` to be one of red, blue'],
  [color, ['red'], 'Expected `it` to be one of red, blue'],
  [color, 'toString', 'Expected `it` to be one of red, blue'],
  [row, null, 'Expected `it` to be an object'],
  [row, [], 'Expected `it` to be an object'],
  [row, {}, 'Expected `it.name` to be a string'],
  [row, { name: 'a', size: null }, 'Expected `it.size` to be a number'],
  [row, { name: 1, size: null }, 'Expected `it.name` to be a string'],
  [() => maybe(text), null, 'Expected `it` to be a string'],
  [() => listOf(row()), { length: 0 }, 'Expected `it` to be a list'],
  [() => listOf(row()), [{ name: 'a' }, { name: 1 }, {}], 'Expected `it[1].name` to be a string'],
  [() => recordOf(flag), [], 'Expected `it` to be an object'],
  [() => recordOf(flag), { a: true, b: 1, c: 1 }, 'Expected `it.b` to be true or false'],
  [() => recordOf(flag), JSON.parse('{"__proto__": 1}'), 'Expected `it.__proto__` to be true or false'],
  [() => recordOf(flag), { [`a\n${'b'.repeat(100)}`]: 1 }, `Expected \`it.a ${'b'.repeat(47)}…\` to be true or false`],
  [shape, 'dot', 'Expected `it` to be an object'],
  [shape, { type: 'line' }, 'Expected `it.to` to be a number'],
  [shape, { type: 'toString' }, 'Expected `it.type` to be one of dot, line'],
  [shape, { type: ['dot'] }, 'Expected `it.type` to be one of dot, line'],
  [shape, {}, 'Expected `it.type` to be one of dot, line'],
  [job, 'open', 'Expected `it` to be an object'],
  [job, { status: 'open' }, 'Expected `it.id` to be a string'],
  [job, { id: 'j', status: 'done' }, 'Expected `it.at` to be a number'],
  [job, { id: 'j', status: 'lost' }, 'Expected `it.status` to be one of open, done'],
  [job, { id: 'j', type: 'open' }, 'Expected `it.status` to be one of open, done'],
  [either, {}, 'Expected `it` to be a row'],
])('form %# says what is wrong with %j', (form, value, problem) => {
  expect(form()(value, 'it')).toBe(problem);
});

test('a form that leaves out a field or has another type for it does not compile', () => {
  // @ts-expect-error a field has no form
  objectOf<Row>({ name: text });
  // @ts-expect-error the field is a text
  objectOf<Row>({ name: number, size: maybe(number) });
  // @ts-expect-error the field may be absent
  objectOf<Row>({ name: text, size: number });
  // @ts-expect-error a name is missing
  oneOf<'a' | 'b'>({ a: true });
});
