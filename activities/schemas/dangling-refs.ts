import { isJsonObject, type Json, type JsonObject } from '../../agent/values/json';
import { changed, eachSchema } from './walk-schema';

/** A reference to what the schema does not have. */
interface DanglingRef {
  /** Its place, as a JSON pointer. */
  path: string;
  ref: string;
}

/** Keywords that name a schema, so that others refer to it by that name. */
const NAMES = ['$id', 'id', '$anchor', '$dynamicAnchor'];
/** The schemas of schemas, which each validator knows. */
const META = /^https?:\/\/json-schema\.org\//;

/**
 * The references in a schema that lead nowhere: no validator compiles it, and some providers refuse a request with it. Only
 * those that certainly do: what is below a name of its own may have another base.
 */
export function danglingRefs(schema: JsonObject): DanglingRef[] {
  const found: DanglingRef[] = [];
  const names = namesIn(schema);
  eachSchema(schema, '', ({ $ref }, path) => {
    if (typeof $ref === 'string' && isDangling($ref, schema, names)) found.push({ path: `${path}/$ref`, ref: $ref });
  });
  return found;
}

/** A schema that allows any value in the place of each dangling reference. */
export function withoutDangling(schema: JsonObject): JsonObject {
  const names = namesIn(schema);
  return changed(schema, (one) => {
    if (typeof one.$ref === 'string' && isDangling(one.$ref, schema, names)) delete one.$ref;
  });
}

/** Whether the schema has a name, and whether another one in it has. */
interface Named {
  any: boolean;
  inside: boolean;
}

function namesIn(schema: JsonObject): Named {
  const named = { any: false, inside: false };
  eachSchema(schema, '', (one) => {
    if (!NAMES.some((keyword) => typeof one[keyword] === 'string')) return;
    named.any = true;
    if (one !== schema) named.inside = true;
  });
  return named;
}

function isDangling(ref: string, schema: JsonObject, named: Named): boolean {
  if (META.test(ref) || ref === '#' || ref === '') return false;
  return ref.startsWith('#/') ? !named.inside && !hasPlace(schema, ref.slice(2)) : !named.any;
}

function hasPlace(schema: JsonObject, pointer: string): boolean {
  let at: Json | undefined = schema;
  for (const key of pointer.split('/').map(unescaped)) {
    if (Array.isArray(at)) at = at[Number(key)];
    else if (isJsonObject(at) && Object.hasOwn(at, key)) at = at[key];
    else return false;
  }
  return at !== undefined;
}

function unescaped(key: string): string {
  const text = key.replace(/(?:%[0-9a-f]{2})+/gi, (found) => Buffer.from(found.replaceAll('%', ''), 'hex').toString());
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
