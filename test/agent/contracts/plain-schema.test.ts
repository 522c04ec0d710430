import fc from 'fast-check';
import { z } from 'zod';
import { type PlainSchema, plainSchema } from '../../../agent/contracts/plain-schema';

const row: PlainSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    done: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' }, minItems: 2 },
  },
  required: ['name', 'tags'],
};
const validate = (json: PlainSchema, value: unknown) => plainSchema(json)['~standard'].validate(value);

it.each<[PlainSchema, unknown]>([
  [row, { name: 'a', tags: ['x', 'y'] }],
  [row, { name: '', tags: ['x', 'y', 'z'], done: false, more: 'of another' }],
  [{ type: 'array' }, []],
  [{ type: 'array' }, [1, null, 'any']],
  [{ type: 'array', items: row }, []],
  [{ type: 'object' }, { any: 1 }],
  [{ type: 'string' }, ''],
  [{ type: 'boolean' }, false],
])('%j takes %j', (json, value) => {
  expect(validate(json, value)).toEqual({ value });
});

it.each<[PlainSchema, unknown, (readonly [PropertyKey[], string])[]]>([
  [{ type: 'string' }, null, [[[], 'Expected string, got null']]],
  [{ type: 'string' }, undefined, [[[], 'Expected string, got undefined']]],
  [{ type: 'boolean' }, 'true', [[[], 'Expected boolean, got string']]],
  [{ type: 'array' }, {}, [[[], 'Expected array, got object']]],
  [row, [], [[[], 'Expected object, got array']]],
  [row, 'a', [[[], 'Expected object, got string']]],
  [
    row,
    {},
    [
      [['name'], 'It is missing'],
      [['tags'], 'It is missing'],
    ],
  ],
  [
    row,
    { tags: [1], done: 'no' },
    [
      [['name'], 'It is missing'],
      [['done'], 'Expected boolean, got string'],
      [['tags'], 'Expected at least 2, got 1'],
      [['tags', 0], 'Expected string, got number'],
    ],
  ],
  [
    { type: 'array', items: { type: 'object', properties: { in: row } } },
    [{}, { in: { name: 'a', tags: ['x', 2] } }],
    [[[1, 'in', 'tags', 1], 'Expected string, got number']],
  ],
])('%j does not take %j, and says where', (json, value, problems) => {
  expect(validate(json, value)).toEqual({ issues: problems.map(([path, message]) => ({ path, message })) });
});

it('agrees with its JSON Schema on any value', () => {
  const text = fc.constantFrom('a', '');
  const tag = fc.oneof(text, fc.constant(1));
  const field = fc.oneof(text, fc.boolean(), fc.constant(null), fc.array(tag, { maxLength: 3 }));
  const likeRow = fc.record({ name: field, done: field, tags: field }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: likeRow }, fc.jsonValue()), (value) => {
      const { success } = z.fromJSONSchema(row as never).safeParse(value);
      expect('value' in (validate(row, value) as object)).toBe(success);
    }),
  );
});

it('is one of our schemas and returns a copy of its JSON Schema, for both directions', () => {
  const standard = plainSchema(row)['~standard'] as unknown as {
    version: number;
    vendor: string;
    jsonSchema: { input: () => PlainSchema; output: () => PlainSchema };
  };
  expect([standard.version, standard.vendor]).toEqual([1, 'holdfast']);
  for (const json of [standard.jsonSchema.input(), standard.jsonSchema.output()]) {
    expect(json).toEqual(row);
    expect(json).not.toBe(row);
  }
});
