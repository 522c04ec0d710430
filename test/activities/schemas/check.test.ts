import { checkAgainstSchema } from '../../../activities/schemas/check';
import type { JsonSchema } from '../../../agent/protocol/manifest';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer', minimum: 1 },
    unit: { enum: ['C', 'F'] },
    stops: { type: 'array', items: { type: 'object', properties: { 'a/b': { type: 'number' } } } },
    mail: { type: 'string', format: 'email' },
  },
  required: ['city'],
  additionalProperties: false,
};

describe('checkAgainstSchema', () => {
  test.each<[unknown, string]>([
    [{}, 'city: is required'],
    [{ city: 5 }, 'city: must be string'],
    [{ city: 'x', days: 0 }, 'days: must be >= 1'],
    [{ city: 'x', unit: 'K' }, 'unit: must be one of ["C","F"]'],
    [{ city: 'x', stops: [{}, { 'a/b': '1' }] }, 'stops.1.a/b: must be number'],
    [{ city: 'x', town: 1 }, 'town: is not a known field'],
    [{ city: 'x', mail: 'no' }, 'mail: must match format "email"'],
    [[], 'must be object'],
    [{ days: 'x', unit: 'K' }, 'city: is required; days: must be integer; unit: must be one of ["C","F"]'],
  ])('%j: %s', (value, problem) => {
    expect(checkAgainstSchema(schema, value)).toEqual({ ok: false, problem });
  });

  test('accepts what fits', () => {
    expect(checkAgainstSchema(schema, { city: 'x', days: 2, unit: 'C', mail: 'a@b.de' })).toEqual({ ok: true });
  });

  test('names at most five problems', () => {
    const many = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`f${i}`, { type: 'string' }]));
    const value = Object.fromEntries(Object.keys(many).map((key) => [key, 1]));
    const checked = checkAgainstSchema({ type: 'object', properties: many }, value);
    expect(checked).toMatchObject({ ok: false, problem: expect.stringMatching(/f4: must be string; and 3 more$/) });
  });

  test('the dialect is the one that the schema names', () => {
    const tuple = { type: 'array', prefixItems: [{ type: 'string' }], items: false };
    const named = { ...tuple, $schema: 'https://json-schema.org/draft/2020-12/schema' };
    expect(checkAgainstSchema(named, [1]).ok).toBe(false);
    expect(checkAgainstSchema(named, ['a']).ok).toBe(true);
    const old = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'array',
      items: [{ type: 'string' }],
      additionalItems: false,
    };
    expect(checkAgainstSchema(old, [1]).ok).toBe(false);
    expect(checkAgainstSchema(old, ['a']).ok).toBe(true);
    const older = { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object', required: ['a'] };
    expect(checkAgainstSchema(older, {})).toEqual({ ok: false, problem: 'a: is required' });
  });

  test.each<[string, JsonSchema]>([
    ['an unknown type', { type: 'nonsense' }],
    ['a reference to nowhere', { $ref: 'https://example.com/x.json' }],
    ['a broken pattern', { type: 'object', properties: { a: { type: 'string', pattern: '(' } } }],
  ])('%s lets everything pass, with a note', (_, broken) => {
    expect(checkAgainstSchema(broken, { a: 1 })).toEqual({ ok: true, note: expect.stringContaining('compiled') });
  });

  test('two schemas with the same $id do not disturb each other', () => {
    expect(checkAgainstSchema({ $id: 'tool', type: 'string' }, 1).ok).toBe(false);
    expect(checkAgainstSchema({ $id: 'tool', type: 'number' }, 1).ok).toBe(true);
  });

  test.each<[string, JsonSchema]>([
    ['without a name', {}],
    ['with a name', { $id: 'tool' }],
    ['of 2020', { $schema: 'https://json-schema.org/draft/2020-12/schema' }],
  ])('a schema %s may refer to itself', (_, more) => {
    const recursive = { ...more, type: 'object', properties: { n: { type: 'number' }, next: { $ref: '#' } } };
    expect(checkAgainstSchema(recursive, { next: { n: 'x' } })).toEqual({
      ok: false,
      problem: 'next.n: must be number',
    });
    expect(checkAgainstSchema(recursive, { next: { n: 1 } })).toEqual({ ok: true });
  });

  test('two schemas with the same $id inside do not disturb each other', () => {
    const schema = (type: string, more: JsonSchema): JsonSchema => ({
      ...more,
      $defs: { a: { $id: 'https://x.example/inside', type } },
      properties: { p: { $ref: 'https://x.example/inside' } },
    });
    for (const [type, more] of [
      ['string', {}],
      ['number', { title: 'longer', items: { type: 'null' } }],
    ] as const) {
      expect(checkAgainstSchema(schema(type, more), { p: true })).toEqual({ ok: false, problem: `p: must be ${type}` });
    }
  });
});
