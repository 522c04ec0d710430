import { isJsonObject, type Json, type JsonObject } from '../../../agent/values/json';

/** Bounds of which a larger value, or a smaller one, takes less. */
const LEAST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'];
const MOST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'];

/**
 * Why a value that fits the schema `before` may not fit `now`; `undefined` if nothing is known to be refused. It compares
 * types, values, required fields, bounds and patterns, also of fields and items; what it does not know it leaves out.
 */
export function narrowed(before: JsonObject, now: JsonObject, place = ''): string | undefined {
  const what = place === '' ? 'it' : `\`${place}\``;
  return (
    typeGone(before, now, what) ??
    valueGone(before, now, what) ??
    bounded(before, now, what) ??
    fieldsChanged(before, now, place) ??
    itemsChanged(before, now, place)
  );
}

function typeGone(before: JsonObject, now: JsonObject, what: string): string | undefined {
  const types = typesOf(now);
  if (types === undefined) return undefined;
  const gone = typesOf(before)?.find(
    (type) => !types.includes(type) && !(type === 'integer' && types.includes('number')),
  );
  return gone && `${what} is no longer of type ${gone}`;
}

function typesOf({ type }: JsonObject): string[] | undefined {
  const types = [type ?? []].flat().filter((one) => typeof one === 'string');
  return types.length === 0 ? undefined : types;
}

function valueGone(before: JsonObject, now: JsonObject, what: string): string | undefined {
  const values = valuesOf(now);
  if (values === undefined) return undefined;
  const known = valuesOf(before);
  if (known === undefined) return `${what} takes only some values`;
  const gone = known.find((value) => !values.some((other) => same(value, other)));
  return gone === undefined ? undefined : `${what} no longer takes ${JSON.stringify(gone)}`;
}

function valuesOf(schema: JsonObject): Json[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum;
  return schema.const === undefined ? undefined : [schema.const];
}

function bounded(before: JsonObject, now: JsonObject, what: string): string | undefined {
  for (const [names, isLess] of [
    [LEAST, (a: number, b: number) => a > b],
    [MOST, (a: number, b: number) => a < b],
  ] as const) {
    for (const name of names) {
      const [old, bound] = [before[name], now[name]];
      if (typeof bound !== 'number') continue;
      if (typeof old !== 'number' || isLess(bound, old)) return `${what} has the bound ${name} ${bound}`;
    }
  }
  const { pattern } = now;
  if (typeof pattern === 'string' && before.pattern !== pattern) return `${what} has the pattern ${pattern}`;
  return undefined;
}

function fieldsChanged(before: JsonObject, now: JsonObject, place: string): string | undefined {
  const at = (name: string) => (place === '' ? name : `${place}.${name}`);
  const [old, fields] = [before.properties, now.properties].map((given) => (isJsonObject(given) ? given : {}));
  const had = namesIn(before.required);
  const needed = namesIn(now.required).find((name) => !had.includes(name));
  if (needed !== undefined) return `\`${at(String(needed))}\` is required`;
  for (const [name, schema] of Object.entries(old ?? {})) {
    const other = fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (other === undefined) {
      if (now.additionalProperties === false) return `\`${at(name)}\` is gone`;
      continue;
    }
    const why = isJsonObject(schema) && isJsonObject(other) ? narrowed(schema, other, at(name)) : undefined;
    if (why !== undefined) return why;
  }
  return undefined;
}

function namesIn(required: Json | undefined): Json[] {
  return Array.isArray(required) ? required : [];
}

function itemsChanged({ items: before }: JsonObject, { items: now }: JsonObject, place: string): string | undefined {
  return isJsonObject(before) && isJsonObject(now) ? narrowed(before, now, `${place}[]`) : undefined;
}

function same(a: Json, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
