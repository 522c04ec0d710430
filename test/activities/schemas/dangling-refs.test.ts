import { checkAgainstSchema } from '../../../activities/schemas/check';
import { danglingRefs, withoutDangling } from '../../../activities/schemas/dangling-refs';
import { usableThirdParty } from '../../../activities/schemas/third-party';
import type { JsonObject } from '../../../agent/values/json';

const dangling = (schema: JsonObject) => danglingRefs(schema).map(({ path }) => path);

it.each<[string, JsonObject, string[]]>([
  ['a place that is missing', { properties: { a: { $ref: '#/$defs/A' } } }, ['/properties/a/$ref']],
  ['a place that is there', { items: { $ref: '#/$defs/A' }, $defs: { A: {} } }, []],
  ['a place in a list', { anyOf: [{ type: 'string' }, { items: { $ref: '#/anyOf/0' } }] }, []],
  ['a place past the end of a list', { anyOf: [{ items: { $ref: '#/anyOf/1' } }] }, ['/anyOf/0/items/$ref']],
  ['a place with escapes', { items: { $ref: '#/$defs/a~1b%20%C3%A9' }, $defs: { 'a/b é': {} } }, []],
  ['itself', { items: { $ref: '#' } }, []],
  ['a name', { items: { $ref: '#a' }, $defs: { A: { $anchor: 'a' } } }, []],
  ['a name that is missing', { items: { $ref: '#a' } }, ['/items/$ref']],
  ['another file', { items: { $ref: 'a.json#/A' } }, ['/items/$ref']],
  ['another host', { items: { $ref: 'https://a.b/c' } }, ['/items/$ref']],
  ['its own address', { $id: 'https://a.b/c', items: { $ref: 'https://a.b/c' } }, []],
  ['a missing place of a schema with an address', { $id: 'https://a.b/c', items: { $ref: '#/x' } }, ['/items/$ref']],
  ['a place below another address', { $defs: { a: { $id: 'a', items: { $ref: '#/b' }, b: {} } } }, []],
  ['the schema of schemas', { items: { $ref: 'http://json-schema.org/draft-07/schema#' } }, []],
  ['a property of that name', { properties: { $ref: { type: 'string' } } }, []],
  ['a value of that name', { const: { $ref: '#/x' }, examples: [{ $ref: '#/x' }] }, []],
])('a reference to %s', (_what, schema, expected) => {
  expect(dangling(schema)).toEqual(expected);
  const left = withoutDangling(schema);
  expect(dangling(left)).toEqual([]);
  if (expected.length === 0) return expect(left).toEqual(schema);
  expect(checkAgainstSchema(schema, {})).toMatchObject({ note: expect.any(String) });
  expect(checkAgainstSchema(left, {})).not.toHaveProperty('note');
});

it('the rest of a schema of an MCP server is checked, and what is not is told', async () => {
  const { schema = {}, problems } = await usableThirdParty({
    type: 'object',
    properties: { a: { $ref: '#/definitions/Gone' }, b: { type: 'integer' } },
  });
  expect(problems).toEqual([
    { path: '/properties/a/$ref', problem: 'it refers to `#/definitions/Gone`, which it does not have' },
  ]);
  expect(checkAgainstSchema(schema, { a: [], b: 1 })).toEqual({ ok: true });
  expect(checkAgainstSchema(schema, { a: [], b: 'x' })).toMatchObject({ ok: false });
});
