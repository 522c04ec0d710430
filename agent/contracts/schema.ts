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
    throw new Error(`schemas of \`${standard.vendor}\` cannot be converted to JSON Schema; use zod 4.2 or newer`);
  }
  return standard.jsonSchema.input({
    target: 'draft-2020-12',
    libraryOptions: { unrepresentable: 'any' },
  }) as JsonSchema;
}

export type Checked<T> = { ok: true; value: T } | { ok: false; problem: string };

/** Checks a value; `problem` is one line that names each failing path. */
export async function check<Out>(schema: StandardSchemaV1<unknown, Out>, value: unknown): Promise<Checked<Out>> {
  const result = await schema['~standard'].validate(value);
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, problem: result.issues.map((issue) => `${pathOf(issue)}: ${issue.message}`).join('; ') };
}

function pathOf(issue: StandardSchemaV1.Issue): string {
  const keys = (issue.path ?? []).map((key) => String(typeof key === 'object' ? key.key : key));
  return keys.length === 0 ? '(root)' : keys.join('.');
}
