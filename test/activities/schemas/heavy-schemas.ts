import type { JsonSchema } from '../../../agent/protocol/manifest';
import type { JsonObject } from '../../../agent/values/json';

export const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
export const fields = (count: number, make: (i: number) => JsonObject): JsonObject =>
  Object.fromEntries(times(count, (i) => [`f${i}`, make(i)]));
export const nested = (levels: number): JsonObject => (levels === 0 ? {} : { x: nested(levels - 1) });

/** Two references to itself: each level of a value is visited twice as often as the one around it. */
const branch = { properties: { x: { $ref: '#/$defs/a' } }, required: ['z'] };
export const doubling: JsonSchema = { type: 'object', $defs: { a: { anyOf: [branch, branch] } }, $ref: '#/$defs/a' };
export const twoPatterns: JsonSchema = {
  type: 'object',
  patternProperties: { x: { $ref: '#' }, '^x': { $ref: '#' } },
};
export const pattern: JsonSchema = {
  type: 'object',
  properties: { t: { type: 'string', pattern: '(?i)a.{900}\\bc' } },
};
