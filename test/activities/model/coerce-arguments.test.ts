import fc from 'fast-check';
import { coerceArguments } from '../../../activities/coercion/coerce-arguments';
import { readArguments } from '../../../activities/model/answer/tool-arguments';
import { checkAgainstSchema } from '../../../activities/schemas/check';
import type { JsonSchema } from '../../../agent/protocol/manifest';
import type { JsonObject } from '../../../agent/values/json';
import { hashOfArguments } from '../../../runtime/sha256';
import { assertEveryCase } from '../../every-case';

const object = (properties: { [name: string]: JsonSchema }, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
});
const number: JsonSchema = { type: 'number' };
const list: JsonSchema = { type: 'array', items: { type: 'integer' } };

test.each<[string, JsonSchema, JsonObject, JsonObject]>([
  ['`null` for an optional field', object({ a: number, b: number }), { a: null, b: 1 }, { b: 1 }],
  ['`null` for an optional choice', object({ a: { enum: ['x', 'y'] } }), { a: null }, {}],
  ['a text for a number', object({ a: number }), { a: ' -4.50 ' }, { a: -4.5 }],
  ['a text for an integer', object({ a: { type: 'integer' } }), { a: '12' }, { a: 12 }],
  ['a text for one of several numbers', object({ a: { enum: [1, 2] } }), { a: '2' }, { a: 2 }],
  ['a text for a boolean', object({ a: { type: 'boolean' } }), { a: 'True' }, { a: true }],
  ['the JSON of a list', object({ a: list }), { a: '[1, 2]' }, { a: [1, 2] }],
  ['the JSON of an object', object({ a: object({ b: number }) }), { a: '{"b": "3"}' }, { a: { b: 3 } }],
  ['numbers in a list', object({ a: list }), { a: ['1', 2, '3'] }, { a: [1, 2, 3] }],
  ['a number or nothing', object({ a: { anyOf: [number, { type: 'null' }] } }), { a: '7' }, { a: 7 }],
  ['a number or a list', object({ a: { anyOf: [number, list] } }), { a: '[7]' }, { a: [7] }],
  ['a reference', { ...object({ a: { $ref: '#/$defs/n' } }), $defs: { n: number } }, { a: '7' }, { a: 7 }],
  [
    'a field of one kind of several',
    object({ a: { oneOf: ['p', 'q'].map((kind) => object({ kind: { const: kind }, n: number }, ['kind'])) } }),
    { a: { kind: 'q', n: '5' } },
    { a: { kind: 'q', n: 5 } },
  ],
])('%s is understood', (_, schema, input, value) => {
  const before = JSON.stringify(input);
  expect(checkAgainstSchema(schema, input).ok).toBe(false);
  expect(coerceArguments(schema, input)).toEqual({ ok: true, value });
  expect(JSON.stringify(input)).toBe(before);
});

test.each<[string, JsonSchema, JsonObject, string]>([
  ['`null` for a required field', object({ a: number }, ['a']), { a: null }, 'a: must be number'],
  ['`null` in a list', object({ a: list }), { a: [null] }, 'a.0: must be integer'],
  ['an id with zeros', object({ a: number }), { a: '007' }, 'a: must be number'],
  ['a number with a sign', object({ a: number }), { a: '+7' }, 'a: must be number'],
  ['more digits than a number holds', object({ a: number }), { a: '12345678901234567' }, 'a: must be number'],
  ['an empty text', object({ a: number }), { a: '' }, 'a: must be number'],
  ['a text with a comma', object({ a: number }), { a: '1,5' }, 'a: must be number'],
  ['half a number', object({ a: { type: 'integer' } }), { a: '1.5' }, 'a: must be integer'],
  ['yes for a boolean', object({ a: { type: 'boolean' } }), { a: 'yes' }, 'a: must be boolean'],
  ['a number for a text', object({ a: { type: 'string' } }), { a: 7 }, 'a: must be string'],
  ['broken JSON', object({ a: list }), { a: '[1, 2' }, 'a: must be array'],
  ['JSON of another kind', object({ a: list }), { a: '{"b":1}' }, 'a: must be array'],
  ['what is not allowed at all', object({ a: number, b: false as never }), { b: null }, 'b: boolean schema is false'],
])('%s is refused as it was given', (_, schema, input, problem) => {
  expect(coerceArguments(schema, input)).toEqual({ ok: false, problem });
});

test('if the schema accepts a text, a text does not become a number', () => {
  const schema = object({ a: { anyOf: [number, { type: 'string', pattern: '^[a-z]' }] } });
  expect(coerceArguments(schema, { a: '7' })).toMatchObject({ ok: false });
  expect(coerceArguments(object({ a: { anyOf: [number, { const: 'auto' }] } }), { a: '7' })).toMatchObject({
    ok: false,
  });
});

test('correcting one mistake does not help if another remains', () => {
  const schema = object({ a: number, b: number }, ['a', 'b']);
  expect(coerceArguments(schema, { a: '1' })).toEqual({ ok: false, problem: 'b: is required; a: must be number' });
});

test('a field named `__proto__` is a field', () => {
  const input = JSON.parse('{"__proto__": {"n": "5"}}') as JsonObject;
  const schema = object({}, []);
  const verdict = coerceArguments({ ...schema, additionalProperties: object({ n: number }) }, input);
  expect(JSON.stringify(verdict)).toBe('{"ok":true,"value":{"__proto__":{"n":5}}}');
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
});

test('the hash is that of the arguments after coercion; those nested too deeply are a problem', async () => {
  const tool = (inputSchema: JsonSchema) => ({ kind: 'internal' as const, inputSchema });
  const read = await readArguments('{"b": "2", "a": null}', tool(object({ a: number, b: number })));
  expect(read).toEqual({ input: { b: 2 }, hash: hashOfArguments({ b: 2 }) });
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect(await readArguments(deep, tool(object({ a: number })))).toMatchObject({
    input: {},
    problem: { type: 'InvalidJson' },
  });
  expect(await readArguments(deep, undefined)).toMatchObject({ input: {}, problem: { type: 'InvalidJson' } });
});

const leaf = fc.constantFrom<JsonSchema>(
  number,
  { type: 'integer', minimum: 0 },
  { type: 'boolean' },
  { type: 'string' },
  { type: ['string', 'null'] },
  { enum: [1, '1', null] },
  { anyOf: [number, { type: 'boolean' }] },
  { oneOf: [{ type: 'string', maxLength: 2 }, number] },
);
const schemas = fc.letrec<{ schema: JsonSchema; object: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    leaf,
    tie('object'),
    tie('schema').map((items): JsonSchema => ({ type: 'array', items })),
  ),
  object: fc
    .tuple(
      fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'x/y~z'), tie('schema'), { maxKeys: 3 }),
      fc.boolean(),
    )
    .map(([properties, all]) => object(properties, all ? Object.keys(properties) : [])),
})).object;
const text = fc.constantFrom(
  '1',
  '-0.5',
  'true',
  'null',
  '[]',
  '["1"]',
  '{"a":"1"}',
  '{"a":"{\\"b\\":\\"2\\"}"}',
  'x',
  '',
);
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.constant(null),
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'x/y~z'), tie('value'), { maxKeys: 3 }),
  ),
})).value;
const inputs = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'x/y~z'), values, { maxKeys: 3 });

test('for any input: what fits is untouched, what is coerced fits, and fits again unchanged', () => {
  const seen = { coerced: 0 };
  const property = fc.property(schemas, inputs, (schema, given) => {
    const input = given as JsonObject;
    const before = JSON.stringify(input);
    const verdict = coerceArguments(schema, input);
    expect(JSON.stringify(input)).toBe(before);
    const check = checkAgainstSchema(schema, input);
    if (check.ok) expect(verdict.ok && verdict.value === input).toBe(true);
    else if (!verdict.ok) expect(verdict).toEqual(check);
    else {
      seen.coerced++;
      expect(checkAgainstSchema(schema, verdict.value)).toEqual({ ok: true });
      expect(coerceArguments(schema, verdict.value)).toEqual({ ok: true, value: verdict.value });
    }
  });
  assertEveryCase(property, 2_000, seen, { coerced: 6 });
});
