import { isJsonObject, type Json, type JsonObject, jsonBytes } from '../../../agent/values/json';
import { isNestedDeeper } from '../../../agent/values/json-depth';

/**
 * Merges the opaque fields of one chunk into those of the chunks before it: lists grow, objects are merged, anything
 * else is replaced. Pieces of one streamed list entry (same `type` and `index`) are joined, since providers want it
 * back whole. Modifies `into`: copies would make many pieces slow.
 */
export function mergeFields(into: JsonObject, fields: JsonObject): void {
  for (const [key, value] of Object.entries(fields)) {
    if (!addsSomething(key, value)) continue;
    const old = into[key];
    if (Array.isArray(value)) {
      const list = Array.isArray(old) ? old : [];
      for (const entry of value) joinEntry(list, entry);
      into[key] = list;
    } else if (isJsonObject(old) && isJsonObject(value)) {
      for (const [name, inner] of Object.entries(value)) if (name !== PROTO) old[name] = inner;
    } else into[key] = value;
  }
}

/** Bytes that {@link mergeFields} adds at most: a value that is repeated with every piece is kept once. */
export function growthOf(into: JsonObject, fields: JsonObject): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(fields)) {
    if (!addsSomething(key, value) || into[key] === value) continue;
    bytes += jsonBytes(key) + jsonBytes(value) + 2;
  }
  return bytes;
}

const GROWING = new Set(['text', 'summary', 'data', 'thinking']);
/** An assignment would not make it a field. */
const PROTO = '__proto__';

function addsSomething(key: string, value: Json): boolean {
  return key !== PROTO && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function joinEntry(list: Json[], entry: Json): void {
  const last = list.at(-1);
  const isSame =
    isJsonObject(last) &&
    isJsonObject(entry) &&
    last.type === entry.type &&
    entry.index !== undefined &&
    last.index === entry.index;
  if (!isSame) {
    list.push(entry);
    return;
  }
  for (const [key, value] of Object.entries(entry)) {
    const old = last[key];
    if (key === PROTO || value === null) continue;
    last[key] = GROWING.has(key) && typeof old === 'string' && typeof value === 'string' ? old + value : value;
  }
}

/** Leaves out fields that are nested deeper than a run can read: no provider needs them to continue. */
export function shallow(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isNestedDeeper(value)));
}
