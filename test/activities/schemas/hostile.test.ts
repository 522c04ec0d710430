import { boundsProblem, unusablePatterns, withoutUnusable } from '../../../activities/schemas/bounded-schema';
import { checkAgainstSchema } from '../../../activities/schemas/check';
import type { JsonSchema } from '../../../agent/protocol/manifest';
import type { JsonObject } from '../../../agent/values/json';

const fits = (schema: JsonSchema, value: unknown) => checkAgainstSchema(schema, value).ok;

test('a schema that says it is asynchronous is checked synchronously, as if it did not', () => {
  const inner = { $async: true, type: 'string' };
  const schema: JsonSchema = {
    $async: true,
    type: 'object',
    properties: { a: { $ref: '#/$defs/a' } },
    $defs: { a: inner },
  };
  expect(fits(schema, { a: 1 })).toBe(false);
  expect(fits(schema, { a: 'x' })).toBe(true);
  const field: JsonSchema = { $async: true, type: 'object', properties: { $async: { type: 'number' } } };
  expect(fits(field, { $async: 'x' })).toBe(false);
  expect(fits({ $async: true, const: { $async: true } }, { $async: true })).toBe(true);
});

describe('patterns take linear time', () => {
  test.each(['^([a-z]+ ?)+$', '^(a|a)*$', '^(.*a){12}$'])('%s', (pattern) => {
    expect(fits({ type: 'string', pattern }, `${'a'.repeat(30_000)}!`)).toBe(false);
  });

  test.each<[string, string, boolean]>([
    [String.raw`^\d{4}-\d\d$`, '2020-12', true],
    [String.raw`^\d{4}-\d\d$`, '2020-1', false],
    ['b', 'abc', true],
    [String.raw`^\/x-é$`, '/x-é', true],
    [String.raw`^\p{L}+$`, 'été', true],
    [String.raw`^(?<year>\d+)$`, '12', true],
    [String.raw`^\s$`, ' ', true],
    [String.raw`^[\s,]+$`, ',　', true],
    [String.raw`^\S$`, ' ', false],
    [String.raw`^\\s$`, String.raw`\s`, true],
  ])('%s on %j: %s, as in JavaScript', (pattern, text, expected) => {
    expect(new RegExp(pattern, 'u').test(text)).toBe(expected);
    expect(fits({ type: 'string', pattern }, text)).toBe(expected);
  });

  test('a pattern that cannot is left out, and named with its place', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(?=x)' }, pattern: { type: 'string' } },
      patternProperties: { '^(a)\\1$': { type: 'number' } },
      default: { pattern: '(?=' },
    };
    expect(unusablePatterns(schema).map(({ path, pattern }) => [path, pattern])).toEqual([
      ['/patternProperties', '^(a)\\1$'],
      ['/properties/a/pattern', '^(?=x)'],
    ]);
    expect(unusablePatterns({ pattern: 'a?'.repeat(30_000) })).toMatchObject([
      { problem: expect.stringContaining('60000') },
    ]);
    const open = withoutUnusable(schema);
    expect(fits(open, { a: 'y', pattern: 'x' })).toBe(true);
    expect(fits(open, { a: 1 })).toBe(false);
    const closed = { patternProperties: { '^(a)\\1$': {} }, additionalProperties: false };
    expect(fits(withoutUnusable(closed), { aa: 1 })).toBe(true);
    expect(unusablePatterns({ pattern: `(${'a?b'.repeat(300)}){1000}` })).toHaveLength(1);
  });

  test('user schemas may have them: JavaScript then checks them', () => {
    const schema: JsonSchema = { type: 'string', pattern: '^(?=x)' };
    expect([fits(schema, 'x'), fits(schema, 'y')]).toEqual([true, false]);
  });
});

test('20,000 objects are compared in linear time', () => {
  const schema: JsonSchema = { type: 'array', uniqueItems: true };
  const items = Array.from({ length: 20_000 }, (_, i) => ({ i, more: { a: [i] } }));
  expect(checkAgainstSchema(schema, items)).toEqual({ ok: true });
  expect(checkAgainstSchema(schema, [...items, { more: { a: [7] }, i: 7 }])).toEqual({
    ok: false,
    problem: 'must NOT have duplicate items (items ## 7 and 20000 are identical)',
  });
  expect(fits({ type: 'array', uniqueItems: false }, [1, 1])).toBe(true);
  expect(fits({ $schema: 'https://json-schema.org/draft/2020-12/schema', uniqueItems: true }, ['1', 1])).toBe(true);
});

test('20,000 errors of one value are reported in one line', () => {
  const schema: JsonSchema = { type: 'array', items: { enum: Array.from({ length: 5000 }, (_, i) => i) } };
  const checked = checkAgainstSchema(
    schema,
    Array.from({ length: 20_000 }, () => 'x'),
  );
  expect(checked).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/^0: must be one of \[0,1,2,.*; and \d+ more$/),
  });
});

test('an untrusted schema is used up to 64 KB, 64 levels and 1,000 properties', () => {
  const wide = (count: number): JsonObject => ({
    properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, {}])),
  });
  const deep = (levels: number): JsonObject => (levels === 1 ? {} : { items: deep(levels - 1) });
  expect(boundsProblem(wide(1000))).toBeUndefined();
  expect(boundsProblem({ allOf: [wide(999), wide(2)] })).toContain('1001 properties');
  expect(boundsProblem(deep(64))).toBeUndefined();
  expect(boundsProblem(deep(65))).toContain('64 levels');
  expect(boundsProblem(JSON.parse(`${'{"items":'.repeat(100_000)}{}${'}'.repeat(100_000)}`))).toContain('64 levels');
  expect(boundsProblem({ description: 'x'.repeat(65_536) })).toContain('65536 are used');
});
