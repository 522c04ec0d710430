import { isJsonObject, type Json, type JsonObject } from '../../agent/values/json';

/** Keywords that hold schemas by name. */
export const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);
/** Keywords that hold values, in which nothing is a keyword. */
const VALUES: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** A copy of a schema, with a change to it and to each schema in it. */
export function changed(schema: JsonObject, change: (schema: JsonObject) => void): JsonObject {
  const copy = JSON.parse(JSON.stringify(schema)) as JsonObject;
  eachSchema(copy, '', change);
  return copy;
}

/** Visits a schema and those in it, each before those that it holds. */
export function eachSchema(
  value: Json | undefined,
  path: string,
  visit: (schema: JsonObject, path: string) => void,
): void {
  if (Array.isArray(value)) {
    for (const [i, one] of value.entries()) eachSchema(one, `${path}/${i}`, visit);
    return;
  }
  if (!isJsonObject(value)) return;
  visit(value, path);
  for (const [keyword, held] of Object.entries(value)) {
    if (VALUES.has(keyword)) continue;
    const at = `${path}/${keyword}`;
    if (!NAMED.has(keyword) || !isJsonObject(held)) eachSchema(held, at, visit);
    else for (const [name, one] of Object.entries(held)) eachSchema(one, `${at}/${name}`, visit);
  }
}
