import { isJsonObject, type JsonObject, jsonBytes } from '../../agent/values/json';
import { isNestedDeeper } from '../../agent/values/json-depth';
import { danglingRefs, withoutDangling } from './dangling-refs';
import { unusable } from './linear-pattern';
import { changed, eachSchema, NAMED } from './walk-schema';

/** Limits of an untrusted schema. */
const MAX = { bytes: 64 * 1024, levels: 64, properties: 1000 } as const;

/** Why an untrusted schema is not used at all; `undefined` if it is. */
export function boundsProblem(schema: JsonObject): string | undefined {
  if (isNestedDeeper(schema, MAX.levels)) return `it is nested deeper than ${MAX.levels} levels`;
  const bytes = jsonBytes(schema);
  if (bytes > MAX.bytes) return `it has ${bytes} bytes, at most ${MAX.bytes} are used`;
  let properties = 0;
  eachSchema(schema, '', (one) => {
    for (const keyword of NAMED) properties += isJsonObject(one[keyword]) ? Object.keys(one[keyword]).length : 0;
  });
  return properties > MAX.properties
    ? `it has ${properties} properties, at most ${MAX.properties} are used`
    : undefined;
}

/** A pattern that values are not checked against. */
export interface UnusablePattern {
  /** Its place, as a JSON pointer. */
  path: string;
  pattern: string;
  problem: string;
}

/** The patterns of a schema that cannot be checked in linear time. */
export function unusablePatterns(schema: JsonObject): UnusablePattern[] {
  const found: UnusablePattern[] = [];
  eachSchema(schema, '', (one, at) => {
    const note = (pattern: string, path: string) => {
      const problem = unusable(pattern);
      if (problem !== undefined) found.push({ path, pattern, problem });
    };
    if (typeof one.pattern === 'string') note(one.pattern, `${at}/pattern`);
    if (!isJsonObject(one.patternProperties)) return;
    for (const pattern of Object.keys(one.patternProperties)) note(pattern, `${at}/patternProperties`);
  });
  return found;
}

/** A schema without its {@link unusablePatterns}. If one of them would match names, other field names are allowed. */
export function withoutUnusable(schema: JsonObject): JsonObject {
  return changed(schema, (one) => {
    if (typeof one.pattern === 'string' && unusable(one.pattern) !== undefined) delete one.pattern;
    const { patternProperties } = one;
    if (!isJsonObject(patternProperties)) return;
    for (const pattern of Object.keys(patternProperties).filter((name) => unusable(name) !== undefined)) {
      delete patternProperties[pattern];
      delete one.additionalProperties;
      delete one.unevaluatedProperties;
    }
  });
}

/** An untrusted schema as it is used. */
export interface UsableSchema {
  /** Missing: the schema exceeds the limits. */
  schema?: JsonObject;
  /** The parts that are not checked, each with its place as a JSON pointer. */
  problems: { path: string; problem: string }[];
}

/**
 * Brings an untrusted schema within limits. If this takes long, it is because of the patterns: all of them are
 * compiled.
 */
export function usableSchema(schema: JsonObject): UsableSchema {
  const problem = boundsProblem(schema);
  if (problem !== undefined) return { problems: [{ path: '', problem }] };
  const patterns = unusablePatterns(schema);
  const refs = danglingRefs(schema);
  const linked = refs.length === 0 ? schema : withoutDangling(schema);
  return {
    schema: patterns.length === 0 ? linked : withoutUnusable(linked),
    problems: [
      ...patterns.map(({ path, pattern, problem }) => ({ path, problem: `\`${pattern}\`: ${problem}` })),
      ...refs.map(({ path, ref }) => ({ path, problem: `it refers to \`${ref}\`, which it does not have` })),
    ],
  };
}

/** A schema without `$async`, which would make its check a promise that is not awaited. */
export function synchronous(schema: JsonObject): JsonObject {
  if (!JSON.stringify(schema).includes('"$async"')) return schema;
  return changed(schema, (one) => {
    delete one.$async;
  });
}
