import { closeThread } from '../../../activities/schemas/job-thread';
import { checksAtOnce } from '../../../activities/schemas/schema-weight';
import { coerceThirdParty } from '../../../activities/schemas/third-party';
import type { JsonSchema } from '../../../agent/protocol/manifest';
import type { JsonObject } from '../../../agent/values/json';
import { fields, pattern, times } from './heavy-schemas';

afterAll(closeThread);

test('an ordinary call is checked at once', async () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { path: { type: 'string', pattern: '^/' }, days: { $ref: '#/$defs/days' }, when: { format: 'date' } },
    $defs: { days: { type: 'integer' } },
    required: ['path'],
  };
  expect(checksAtOnce(schema, { path: '/a', days: 2, when: '2026-01-01' })).toBe(true);
  expect(checksAtOnce({ type: 'object', properties: { text: { type: 'string' } } }, { text: 'x'.repeat(60_000) })).toBe(
    true,
  );
  expect(await coerceThirdParty(schema, { path: '/a', days: '2' })).toEqual({
    ok: true,
    value: { path: '/a', days: 2 },
  });
});

test.each<[string, JsonSchema, JsonObject]>([
  ['more than 64 KB', { type: 'object' }, { text: 'x'.repeat(65_537) }],
  ['a recursion', { type: 'object', properties: { a: { $ref: '#' } } }, {}],
  [
    'a recursion behind a name',
    { type: 'object', $defs: { b: { $anchor: 'b' } }, properties: { a: { $ref: '#b' } } },
    {},
  ],
  ['a recursion that is found at run time', { type: 'object', items: { $dynamicRef: '#x' } }, {}],
  [
    'references that double',
    {
      $defs: {
        ...fields(30, (i) => ({ allOf: [{ $ref: `#/$defs/f${i + 1}` }, { $ref: `#/$defs/f${i + 1}` }] })),
        f30: {},
      },
      $ref: '#/$defs/f0',
    },
    {},
  ],
  [
    'a property with the name of a keyword that holds values',
    { type: 'object', properties: { enum: { anyOf: times(600, () => ({})) } } },
    {},
  ],
  ['a pattern that only JavaScript supports', { type: 'object', properties: { a: { pattern: '(?=a)' } } }, {}],
  ['a pattern with many steps', pattern, { t: 'a'.repeat(60_000) }],
  [
    'text that holds much JSON',
    { type: 'object', properties: fields(100, () => ({ type: 'array' })) },
    { a: '['.repeat(10_000) },
  ],
  ['many properties', { type: 'object', properties: fields(400, () => ({ type: 'string' })) }, {}],
  [
    'a long chain of references',
    { $defs: fields(900, (i) => ({ items: { $ref: `#/$defs/f${i + 1}` } })), $ref: '#/$defs/f0' },
    {},
  ],
])('%s goes to the thread', (_, schema, value) => {
  expect(checksAtOnce(schema, value)).toBe(false);
});
