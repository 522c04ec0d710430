import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as v3 } from 'zod/v3';
import { check, isSchema, type Schema, toJsonSchema } from '../../../agent/contracts/schema';

const standard = { version: 1, vendor: 'odd', validate: () => ({ value: 1 }) };
const issuing = (...issues: object[]) => ({ '~standard': { ...standard, validate: () => ({ issues }) } }) as Schema;

it.each<[string, unknown, boolean]>([
  ['a schema of zod', z.string(), true],
  ['an object that can validate', { '~standard': standard }, true],
  ['a function that can validate', Object.assign(() => 1, { '~standard': standard }), true],
  ['a function', () => 1, false],
  ['nothing', null, false],
  ['a missing value', undefined, false],
  ['a text', 'string', false],
  ['a JSON Schema', { type: 'string' }, false],
  ['an object whose standard is missing', { '~standard': undefined }, false],
  ['an object that validates nothing', { '~standard': { version: 1, vendor: 'odd' } }, false],
])('tells whether %s is a schema', (_what, value, expected) => {
  expect(isSchema(value)).toBe(expected);
});

it('JSON Schema is that of the accepted input, and types that JSON cannot express may be anything', () => {
  const asked: unknown[] = [];
  const input = (options: unknown) => {
    asked.push(options);
    return { type: 'string' };
  };
  expect(toJsonSchema({ '~standard': { ...standard, jsonSchema: { input } } } as unknown as Schema)).toEqual({
    type: 'string',
  });
  expect(asked).toEqual([{ target: 'draft-2020-12', libraryOptions: { unrepresentable: 'any' } }]);
  const schema = z.object({ at: z.date(), n: z.string().transform(Number) });
  expect(toJsonSchema(schema)).toMatchObject({ type: 'object', properties: { at: {}, n: { type: 'string' } } });
});

it('a schema that cannot become JSON Schema is named by its vendor', () => {
  expect(() => toJsonSchema({ '~standard': standard } as Schema)).toThrow(
    new Error('schemas of `odd` cannot be converted to JSON Schema; use zod 4.2 or newer'),
  );
});

it('a value that fits is returned as the schema transforms it, also asynchronously', async () => {
  const number = z.string().transform(Number);
  expect(await check(number, '7')).toEqual({ ok: true, value: 7 });
  expect(
    await check(
      z.string().refine(async () => true),
      '7',
    ),
  ).toEqual({ ok: true, value: '7' });
});

it.each([
  ['a field', z.object({ a: z.string(), b: mini.string() as unknown as z.ZodString }), 'string'],
  ['an element', z.object({ a: z.array(mini.object({}) as unknown as z.ZodObject) }), 'object'],
])('a part of zod/mini in a schema of zod is told as one: %s', (_, schema, type) => {
  expect(() => toJsonSchema(schema)).toThrow(
    `a part of it, of the type \`${type}\`, is a schema of \`zod/mini\` and cannot be converted to JSON Schema; import \`z\` from \`zod\` for it, too`,
  );
});

it('what is wrong with a value is one line that names each place', async () => {
  const schema = issuing(
    { message: 'no' },
    { message: 'nor this', path: [] },
    { message: 'too long', path: ['rows', 0, 'name'] },
    { message: 'too short', path: [{ key: 'rows' }, { key: 1 }] },
  );
  expect(await check(schema, {})).toEqual({
    ok: false,
    problem: 'no; nor this; rows.0.name: too long; rows.1: too short',
  });
  expect(await check(z.object({ n: z.number() }), { n: 'x' })).toEqual({
    ok: false,
    problem: 'n: Invalid input: expected number, received string',
  });
});

const CANNOT = 'cannot be converted to JSON Schema;';

it.each<[string, object, string]>([
  [
    'zod/v3',
    v3.object({}),
    `schemas of zod 3, which are those of \`zod/v3\` too, ${CANNOT} import \`z\` from \`zod\` 4.2 or newer`,
  ],
  ['zod/mini', mini.object({}), `schemas of \`zod/mini\` ${CANNOT} import \`z\` from \`zod\``],
  [
    'an older zod 4',
    { '~standard': { ...standard, vendor: 'zod' }, _zod: { version: { major: 4, minor: 1 } } },
    `schemas of zod 4.1 ${CANNOT} use zod 4.2 or newer`,
  ],
  [
    'the first zod 4',
    { '~standard': { ...standard, vendor: 'zod' }, _zod: {} },
    `schemas of zod 4.0 ${CANNOT} use zod 4.2 or newer`,
  ],
  [
    'valibot',
    { '~standard': { ...standard, vendor: 'valibot' } },
    `schemas of valibot without a wrapper ${CANNOT} wrap them in \`toStandardJsonSchema\` of \`@valibot/to-json-schema\``,
  ],
])('the error for a schema of %s says what to do', (_what, schema, problem) => {
  expect(() => toJsonSchema(schema as Schema)).toThrow(new Error(problem));
});
