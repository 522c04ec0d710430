import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Schema } from './schema';

/** The part of JSON Schema that {@link plainSchema} can check itself. */
export interface PlainSchema {
  type: 'object' | 'array' | 'string' | 'boolean';
  description?: string;
  properties?: { readonly [name: string]: PlainSchema };
  required?: readonly string[];
  items?: PlainSchema;
  minItems?: number;
}

/** A schema made from JSON Schema, for our own contracts: `agent/` must not import a schema library. */
export function plainSchema<T>(json: PlainSchema): Schema<T> {
  const validate = (value: unknown): StandardSchemaV1.Result<T> => {
    const issues = issuesOf(json, value, []);
    return issues.length > 0 ? { issues } : { value: value as T };
  };
  const jsonSchema = { input: () => ({ ...json }), output: () => ({ ...json }) };
  const standard = { version: 1, vendor: 'holdfast', validate, jsonSchema } as const;
  return { '~standard': standard };
}

function issuesOf(schema: PlainSchema, value: unknown, path: PropertyKey[]): StandardSchemaV1.Issue[] {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (type !== schema.type) return [{ path, message: `Expected ${schema.type}, got ${type}` }];
  if (Array.isArray(value)) {
    const { items, minItems = 0 } = schema;
    const short =
      value.length < minItems ? [{ path, message: `Expected at least ${minItems}, got ${value.length}` }] : [];
    return [...short, ...(items === undefined ? [] : value.flatMap((one, i) => issuesOf(items, one, [...path, i])))];
  }
  if (type !== 'object') return [];
  const object = value as { readonly [name: string]: unknown };
  const { properties = {}, required = [] } = schema;
  return [
    ...required
      .filter((name) => object[name] === undefined)
      .map((name) => ({ path: [...path, name], message: 'It is missing' })),
    ...Object.entries(properties).flatMap(([name, property]) =>
      object[name] === undefined ? [] : issuesOf(property, object[name], [...path, name]),
    ),
  ];
}
