import { MockActivityEnvironment } from '@temporalio/testing';
import fc from 'fast-check';
import { checkReply } from '../../../activities/questions/check-reply';
import { coerceReply } from '../../../activities/questions/coerce-reply';
import { checkAgainstSchema } from '../../../activities/schemas/check';
import type { CheckReplyResult } from '../../../agent/protocol/activities';
import type { JsonSchema } from '../../../agent/protocol/manifest';
import type { Json } from '../../../agent/values/json';

const reply = (schema: JsonSchema, answer: Json) =>
  new MockActivityEnvironment().run(checkReply, { schema, answer }) as Promise<CheckReplyResult>;
const form = (properties: { [name: string]: JsonSchema }): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
const days: JsonSchema = { type: 'string', enum: ['Monday', 'Friday'] };

test('a fitting answer stays unchanged', async () => {
  expect(await reply({ type: 'string' }, '42')).toEqual({ ok: true });
  expect(await reply({ type: ['number', 'string'] }, ' yes ')).toEqual({ ok: true });
  expect(await reply(form({ n: { type: 'integer' } }), { n: 3 })).toEqual({ ok: true });
  expect(await reply({}, [1])).toEqual({ ok: true });
});

test.each<[string, JsonSchema, Json, Json]>([
  ['a number', { type: 'number' }, ' 4.5 ', 4.5],
  ['a negative number', { type: 'number' }, '-1e3', -1000],
  ['an integer', { type: 'integer', minimum: 1 }, '42', 42],
  ['yes', { type: 'boolean' }, 'Yes', true],
  ['no', { type: 'boolean' }, 'n', false],
  ['a choice in another case', days, ' friday', 'Friday'],
  ['a choice of numbers', { enum: [1, 2] }, '2', 2],
  [
    'a choice by its title',
    {
      oneOf: [
        { const: 'a', title: 'Apple' },
        { const: 'b', title: 'Pear' },
      ],
    },
    'pear',
    'b',
  ],
  ['a choice by its old kind of title', { enum: ['a', 'b'], enumNames: ['Apple', 'Pear'] }, 'apple', 'a'],
  ['several choices', { type: 'array', items: days }, 'monday, FRIDAY', ['Monday', 'Friday']],
  ['none of several', { type: 'array', items: days }, '', []],
  ['a form of one field', form({ day: days }), 'friday', { day: 'Friday' }],
  ['a form of one field, by a number', form({ n: { type: 'integer' } }), 7, { n: 7 }],
  ['a form of one field, by yes', form({ sure: { type: 'boolean' } }), 'y', { sure: true }],
  ['a form without fields', form({}), 'OK', {}],
  ['a form typed as JSON', form({ a: { type: 'integer' }, b: days }), '{"a":"1","b":"monday"}', { a: 1, b: 'Monday' }],
  ['fields of a form', form({ a: { type: 'boolean' }, b: days }), { a: 'no', b: 'friday' }, { a: false, b: 'Friday' }],
  ['a text with blanks around it', { type: 'string', format: 'email' }, ' a@b.example ', 'a@b.example'],
  ['a text that came as a number', { type: 'string' }, 42, '42'],
])('%s is accepted as a person types it', async (_, schema, answer, value) => {
  expect(await reply(schema, answer)).toEqual({ ok: true, value });
});

test.each<[string, JsonSchema, Json, string]>([
  ['words for a number', { type: 'number' }, 'forty', 'must be number'],
  ['a number without an end', { type: 'number' }, '1e999', 'must be number'],
  ['the same within a form', form({ n: { type: 'number' } }), '{"n":1e999}', 'n: must be number'],
  ['perhaps', { type: 'boolean' }, 'perhaps', 'must be boolean'],
  ['no choice', form({ day: days }), 'sunday', 'day: must be one of ["Monday","Friday"]'],
  ['a choice of which two are meant', { enum: ['a', 'A'] }, ' a', 'must be one of ["a","A"]'],
  ['a bare text for two fields', form({ a: {}, b: {} }), 'x', 'must be object'],
  ['a form that lacks a field', form({ a: {}, b: {} }), { a: 1 }, 'b: is required'],
  ['no to a form without fields', form({}), 'no way', 'must be object'],
  ['JSON that is broken', form({ a: {}, b: {} }), '{"a":', 'must be object'],
])('%s is refused, and told why', async (_, schema, answer, problem) => {
  expect(await reply(schema, answer)).toEqual({ ok: false, problem });
});

test('an unusable schema accepts no answer, and is named', async () => {
  const broken = await reply({ type: 'strin' } as JsonSchema, 'x');
  expect(broken).toMatchObject({ ok: false });
  expect((broken as { problem: string }).problem).toMatch(/^the schema of the question cannot be used: .*compiled/);
  const endless: JsonSchema = { $ref: '#' };
  expect(await reply(endless, 'x')).toMatchObject({ ok: false, problem: expect.stringMatching(/^the schema of/) });
});

const simple = fc.constantFrom<JsonSchema>(
  { type: 'string' },
  { type: 'number' },
  { type: 'integer' },
  { type: 'boolean' },
  { type: 'string', enum: ['Red', 'Blue', '7'] },
);
const schemas = fc.oneof(
  simple,
  simple.map((items): JsonSchema => ({ type: 'array', items })),
  fc.dictionary(fc.string(), simple, { maxKeys: 3 }).map(form),
);

test('for any answer: no throw, what fits is untouched, what is coerced fits', async () => {
  await fc.assert(
    fc.asyncProperty(
      schemas,
      fc.oneof(fc.jsonValue(), fc.constantFrom('red', 'Y', '7', '[1]', '{}')),
      async (schema, given) => {
        const answer = given as Json;
        const before = JSON.stringify(answer);
        const verdict = await reply(schema, answer);
        expect(JSON.stringify(answer)).toBe(before);
        if (checkAgainstSchema(schema, answer).ok) expect(verdict).toEqual({ ok: true });
        else if (verdict.ok) expect(checkAgainstSchema(schema, verdict.value)).toEqual({ ok: true });
        else expect(verdict.problem).toMatch(/\S/);
      },
    ),
    { numRuns: 500 },
  );
});

test('what a person types for a value of a schema is that value', () => {
  const typed = fc.oneof(
    fc.integer().map((value) => ({ schema: { type: 'integer' }, value })),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((value) => ({ schema: { type: 'number' }, value: value + 0 })),
    fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
  );
  fc.assert(
    fc.property(typed, ({ schema, value }) => {
      expect(coerceReply(schema, String(value)).value).toBe(value);
      expect(coerceReply(form({ only: schema }), String(value)).value).toEqual({ only: value });
    }),
  );
});
