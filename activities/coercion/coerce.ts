import type { ErrorObject } from 'ajv';
import type { JsonSchema } from '../../agent/protocol/manifest';
import { isJsonObject, type Json } from '../../agent/values/json';
import { checkAgainstSchema, type SchemaCheck, schemaErrors } from '../schemas/check';

/** A value that does not fit the schema at its place. */
export interface Misfit {
  value: Json;
  /** The schemas that it does not fit; for a union all options. */
  schemas: readonly JsonSchema[];
  /**
   * The types that are possible in its place. Empty: one of the schemas accepts values of its type, and rejects this
   * one.
   */
  wanted: ReadonlySet<string>;
  /** The value is a field of an object. */
  isField: boolean;
}

/** Leaves a field out. */
export const LEFT_OUT = Symbol('left out');

/** What the sender must have meant by a value; `undefined` if that is unclear. */
export type Meaning = (misfit: Misfit) => Json | typeof LEFT_OUT | undefined;

export interface Coerced {
  /** The given value itself if nothing had to be changed. */
  value: Json;
  check: SchemaCheck;
}

/** A text may hold JSON that in turn holds texts: more levels than this are not a mistake of a model. */
const ROUNDS = 8;

/**
 * Replaces what does not fit a schema by what its sender must have meant, until it fits or there is nothing left to
 * try. What fits stays as it is. The errors of the check say where to look and what is expected there, so references
 * and unions need no rules of their own.
 */
export function coerce(schema: JsonSchema, given: Json, meaning: Meaning): Coerced {
  let value = given;
  let check = checkAgainstSchema(schema, value);
  for (let round = 0; !check.ok && round < ROUNDS; round++) {
    const root = { value: structuredClone(value) };
    const changes = [...placesOf(schemaErrors(schema, value))].map(([pointer, errors]) =>
      change(root, pointer, errors, meaning),
    );
    if (!changes.includes(true)) break;
    value = root.value;
    check = checkAgainstSchema(schema, value);
  }
  return { value, check };
}

function placesOf(errors: readonly ErrorObject[]): Map<string, ErrorObject[]> {
  const places = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    // The error is about the name of a field, but has the place of the object.
    if (error.propertyName !== undefined) continue;
    const known = places.get(error.instancePath);
    if (known === undefined) places.set(error.instancePath, [error]);
    else known.push(error);
  }
  return places;
}

/** Changes the value at one place. Returns false if the intended value is unclear. */
function change(root: { value: Json }, pointer: string, errors: readonly ErrorObject[], meaning: Meaning): boolean {
  const keys = `/value${pointer}`
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop() as string;
  let parent: unknown = root;
  for (const key of keys) parent = ownValue(parent, key);
  const value = ownValue(parent, last);
  // An earlier change has put something else here.
  if (value === undefined) return false;
  const isField = pointer !== '' && isJsonObject(parent);
  const schemas = errors.flatMap(({ parentSchema }) =>
    parentSchema === undefined ? [] : [parentSchema as JsonSchema],
  );
  const meant = meaning({ value, schemas, wanted: wantedTypes(errors, value), isField });
  if (meant === undefined || meant === value) return false;
  // Not by assignment: `__proto__` is a field like any other.
  if (meant === LEFT_OUT) delete (parent as { [key: string]: Json })[last];
  else Object.defineProperty(parent, last, { value: meant, writable: true, enumerable: true, configurable: true });
  return true;
}

function ownValue(parent: unknown, key: string): Json | undefined {
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, key)) return undefined;
  return (parent as { [key: string]: Json })[key];
}

/** These keywords only report that a part failed; the part has errors of its own. */
const COMBINING = new Set(['anyOf', 'oneOf', 'allOf', 'if']);

function wantedTypes(errors: readonly ErrorObject[], value: Json): Set<string> {
  const wanted = new Set<string>();
  for (const { keyword, params } of errors) {
    // Two options accepted it, which is one too many.
    if (keyword === 'oneOf' && params.passingSchemas) return new Set();
    if (COMBINING.has(keyword)) continue;
    const types = typesOf(keyword, params);
    if (types.length === 0 || types.includes(typeOf(value))) return new Set();
    for (const type of types) wanted.add(type);
  }
  return wanted;
}

function typesOf(keyword: string, params: ErrorObject['params']): string[] {
  if (keyword === 'type') return [params.type].flat().map((type) => (type === 'integer' ? 'number' : String(type)));
  if (keyword === 'enum') return (params.allowedValues as Json[]).map(typeOf);
  return keyword === 'const' ? [typeOf(params.allowedValue as Json)] : [];
}

function typeOf(value: Json): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
