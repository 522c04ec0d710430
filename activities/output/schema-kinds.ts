import type { JsonSchema } from '../../agent/protocol/manifest';
import { isJsonObject, type Json } from '../../agent/values/json';

/** The kinds of JSON values, as JSON Schema names them; whole numbers are numbers. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** Every kind. */
export const ANY_KIND: ReadonlySet<JsonKind> = new Set(['object', 'array', 'string', 'number', 'boolean', 'null']);

/** Parts of a schema that are looked at: references may lead in circles. */
const MAX_PARTS = 100;

/** The kinds of values that may fit a schema; all where it does not say. */
export function kindsOf(schema: JsonSchema): ReadonlySet<JsonKind> {
  let parts = 0;
  const kinds = (part: Json | undefined): ReadonlySet<JsonKind> => {
    if (!isJsonObject(part) || ++parts > MAX_PARTS) return ANY_KIND;
    const { type, const: value, enum: values, anyOf, oneOf, allOf, $ref } = part;
    const limits: ReadonlySet<JsonKind>[] = [];
    if (type !== undefined) limits.push(new Set([type].flat().flatMap(kindsNamed)));
    if (value !== undefined) limits.push(new Set([kindOf(value)]));
    if (Array.isArray(values)) limits.push(new Set(values.map(kindOf)));
    for (const either of [anyOf, oneOf]) {
      if (Array.isArray(either)) limits.push(new Set(either.flatMap((one) => [...kinds(one)])));
    }
    if (Array.isArray(allOf)) limits.push(...allOf.map(kinds));
    if (typeof $ref === 'string') limits.push(kinds(partAt(schema, $ref)));
    return new Set([...ANY_KIND].filter((kind) => limits.every((limit) => limit.has(kind))));
  };
  return kinds(schema);
}

/** Whether only values of this kind fit. */
export function isOnly(kinds: ReadonlySet<JsonKind>, kind: JsonKind): boolean {
  return kinds.size === 1 && kinds.has(kind);
}

/** The kind of a value. */
export function kindOf(value: unknown): JsonKind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

function kindsNamed(name: Json): JsonKind[] {
  const kind = name === 'integer' ? 'number' : name;
  return [...ANY_KIND].filter((known) => known === kind);
}

/** What a reference within the schema leads to, such as `#/$defs/Node`; `undefined` for any other reference. */
function partAt(schema: JsonSchema, ref: string): Json | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  let part: Json | undefined = schema as Json;
  for (const name of ref.split('/').slice(1)) {
    if (!isJsonObject(part) || !Object.hasOwn(part, name)) return undefined;
    part = part[name];
  }
  return part;
}
