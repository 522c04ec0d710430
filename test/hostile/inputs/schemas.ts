import type { JsonObject } from '../../../agent/values/json';
import { call } from '../../kit/scripted-model';
import { nested } from '../stage/wire';
import { DONE, type End, type HttpInput } from './input';

interface Made {
  /** The schema of the tool's arguments; a text is used as raw JSON. */
  input?: JsonObject | string;
  /** The schema of its result. */
  output?: JsonObject;
  /** The arguments that the model sends. */
  args?: JsonObject | string;
  end?: End;
  quick?: true;
}

const FINE = /^fine$/;
const REFUSED = /^InvalidArguments: /;

const jsonOf = (value: JsonObject | string) => (typeof value === 'string' ? value : JSON.stringify(value));

const schema = (
  name: string,
  does: string,
  told: RegExp | [],
  { input = '{"type":"object"}', output, args = {}, end = { data: DONE }, quick }: Made,
): HttpInput => ({
  name,
  does,
  script: [call('s_do', args, { chunkSize: 65_536 })],
  told: Array.isArray(told) ? told : [told],
  end,
  server: {
    tool: `{"name":"do","inputSchema":${jsonOf(input)}${output === undefined ? '' : `,"outputSchema":${jsonOf(output)}`}}`,
  },
  ...(quick === undefined ? {} : { quick }),
});

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });
const many = (count: number, make: (i: number) => [string, JsonObject]): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => make(i)));
const objects = (count: number) => Array.from({ length: count }, (_, i) => ({ i }));

/** Each level refers to the next one twenty times: 20^30 paths through a value that is 30 levels deep. */
const WAYS: JsonObject = object(
  { tree: { $ref: '#/$defs/tree' } },
  {
    $defs: {
      tree: {
        anyOf: Array.from({ length: 20 }, (_, i) => ({
          items: { $ref: '#/$defs/tree' },
          minItems: 1,
          maxItems: 1,
          title: `${i}`,
          not: {},
        })),
      },
    },
  },
);

export const SCHEMAS: readonly HttpInput[] = [
  schema('async', 'declares itself asynchronous', REFUSED, {
    input: object({ a: { type: 'string' } }, { $async: true }),
    args: { a: [1] },
    quick: true,
  }),
  schema('slow-pattern', 'has a pattern that takes exponential time', REFUSED, {
    input: object({ a: { type: 'string', pattern: '^([a-z]+ ?)+$' } }),
    args: { a: `${'a'.repeat(5000)}!` },
    quick: true,
  }),
  schema('slow-property-pattern', 'has an exponential pattern for property names', FINE, {
    input: object({}, { patternProperties: { '^(a|a)*$': { type: 'string' } } }),
    args: { [`${'a'.repeat(5000)}!`]: 1 },
  }),
  schema('many-properties', 'has 20,000 properties', FINE, {
    input: object(many(20_000, (i) => [`f${i}`, { type: 'string' }])),
    args: { f1: 1 },
  }),
  schema('unique-objects', 'requires 9,000 objects to differ', FINE, {
    input: object({ a: { type: 'array', uniqueItems: true } }),
    args: { a: objects(9000) },
  }),
  schema('more-objects', 'requires 20,000 objects to differ', /^InvalidJson: .* more than 20000 values/, {
    input: object({ a: { type: 'array', uniqueItems: true } }),
    args: { a: objects(20_000) },
  }),
  schema('ways', 'has twenty paths through each level of a value of thirty levels', REFUSED, {
    input: WAYS,
    args: `{"tree":${nested(30)}}`,
  }),
  schema('circle', 'refers only to itself', /^(fine$|InvalidArguments: )/, {
    input: object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }),
    args: { a: 1 },
  }),
  schema('elsewhere', 'refers to a schema on another machine', FINE, {
    input: object({ a: { $ref: 'http://169.254.169.254/schema.json' } }),
    args: { a: 1 },
  }),
  schema('format-regex', 'has a regular expression of 60 KB', /^(fine$|InvalidArguments: )/, {
    input: object({ a: { type: 'string', format: 'regex' } }),
    args: { a: '(a?'.repeat(10_000) + ')'.repeat(10_000) },
  }),
  schema('format-bombs', 'requires hosts, addresses and dates of 60 KB', REFUSED, {
    input: object(
      Object.fromEntries(
        ['email', 'hostname', 'uri', 'uri-template', 'date-time', 'ipv6', 'duration'].map((format) => [
          format,
          { type: 'string', format },
        ]),
      ),
    ),
    args: Object.fromEntries(
      ['email', 'hostname', 'uri', 'uri-template', 'date-time', 'ipv6', 'duration'].map((format) => [
        format,
        `${'a.'.repeat(4000)}!`,
      ]),
    ),
  }),
  schema('too-large', 'is one byte over 64 KB', FINE, {
    input: object({ a: { type: 'string', description: 'x'.repeat(65_536) } }),
    args: { a: 1 },
  }),
  schema('prototype', 'names members of Object.prototype', REFUSED, {
    input: JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}},"required":["constructor","a"]}',
    ),
    args: '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  }),
  schema('nonsense', 'is not a schema', FINE, {
    input: { type: 'object', properties: { a: { type: 'strng', pattern: '(', minimum: 'x', enum: 7 } } } as JsonObject,
    args: { a: 1 },
  }),
  schema('huge-enum', 'is answered by 15,000 values that are all wrong', REFUSED, {
    input: object({ a: { type: 'array', items: { enum: Array.from({ length: 5000 }, (_, i) => i) } } }),
    args: { a: Array.from({ length: 15_000 }, () => 'x') },
  }),
  schema('deep', 'is nested 5,000 deep', [], {
    input: `{"type":"object","properties":${'{"a":{"properties":'.repeat(5000)}{}${'}}'.repeat(5000)}}`,
    args: { a: {} },
    // No JSON parser gets through it. Without the server's tools no run of the agent can begin.
    end: { error: /^McpServerFailed: .*nested too deep/ },
  }),
  schema('output', 'describes its result by a pattern of exponential time', FINE, {
    output: object({ a: { type: 'string', pattern: '^([a-z]+ ?)+$' } }),
  }),
];
