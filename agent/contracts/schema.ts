import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonSchema } from '../protocol/manifest';

/** A schema of any library that supports Standard Schema and conversion to JSON Schema, such as zod 4.2 and newer. */
export type Schema<In = unknown, Out = In> = StandardSchemaV1<In, Out>;

export type InputOf<S> = S extends StandardSchemaV1<infer In, unknown> ? In : never;
export type OutputOf<S> = S extends StandardSchemaV1<unknown, infer Out> ? Out : never;

export function isSchema(value: unknown): value is Schema {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    '~standard' in value &&
    typeof (value as Schema)['~standard']?.validate === 'function'
  );
}

/** JSON Schema of what a schema accepts. Throws a plain Error that names the part that cannot be converted. */
export function toJsonSchema(schema: Schema): JsonSchema {
  const standard = schema['~standard'] as StandardSchemaV1['~standard'] & Partial<StandardJSONSchemaV1['~standard']>;
  if (standard.jsonSchema === undefined) {
    const { what, instead } = unconvertible(schema, standard.vendor);
    throw new Error(`${what} cannot be converted to JSON Schema; ${instead}`);
  }
  try {
    return standard.jsonSchema.input({
      target: 'draft-2020-12',
      libraryOptions: { unrepresentable: 'any' },
    }) as JsonSchema;
  } catch (error) {
    throw standard.vendor === 'zod' ? (foreignPart(error) ?? error) : error;
  }
}

/** zod can express each of its types, at least as `any`: one that it cannot has no conversion, as those of `zod/mini`. */
function foreignPart(error: unknown): Error | undefined {
  const [, type] = /Non-representable type encountered: (\w+)/.exec(error instanceof Error ? error.message : '') ?? [];
  if (type === undefined) return undefined;
  const where = `a part of it, of the type \`${type}\`, is a schema of \`zod/mini\``;
  return new Error(`${where} and cannot be converted to JSON Schema; import \`z\` from \`zod\` for it, too`);
}

/** Which library a schema is of that has no conversion, and what to do. */
function unconvertible(schema: Schema, vendor: string): { what: string; instead: string } {
  if (vendor === 'valibot') {
    const instead = 'wrap them in `toStandardJsonSchema` of `@valibot/to-json-schema`';
    return { what: 'schemas of valibot without a wrapper', instead };
  }
  if (vendor !== 'zod') return { what: `schemas of \`${vendor}\``, instead: 'use zod 4.2 or newer' };
  // Only zod 4 has `_zod`. Its version tells zod/mini, which has no conversion, from a zod that is too old for one.
  const { _zod } = schema as { _zod?: { version?: { major: number; minor: number } } };
  if (_zod === undefined) {
    return {
      what: 'schemas of zod 3, which are those of `zod/v3` too,',
      instead: 'import `z` from `zod` 4.2 or newer',
    };
  }
  const { major, minor } = _zod.version ?? { major: 4, minor: 0 };
  return major > 4 || minor >= 2
    ? { what: 'schemas of `zod/mini`', instead: 'import `z` from `zod`' }
    : { what: `schemas of zod ${major}.${minor}`, instead: 'use zod 4.2 or newer' };
}

export type Checked<T> = { ok: true; value: T } | { ok: false; problem: string };

/** Checks a value; `problem` is one line that names each failing path, but not the value itself. */
export async function check<Out>(schema: StandardSchemaV1<unknown, Out>, value: unknown): Promise<Checked<Out>> {
  const result = await schema['~standard'].validate(value);
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, problem: result.issues.map(({ path, message }) => problemAt(keysOf(path), message)).join('; ') };
}

function keysOf(path: StandardSchemaV1.Issue['path'] = []): string[] {
  return path.map((key) => String(typeof key === 'object' ? key.key : key));
}

/** What is wrong with a part of a value, or with the value itself. */
export function problemAt(keys: readonly string[], problem: string): string {
  return keys.length === 0 ? problem : `${keys.join('.')}: ${problem}`;
}
