import { HoldfastError } from '../errors/error';
import type { JsonSchema } from '../protocol/manifest';
import { isSchema, type Schema, toJsonSchema } from './schema';
import { unfitPart } from './unfit-part';

/** What is expected of a schema. */
interface Expected {
  /** The schema of an object. */
  isObject?: boolean;
  /** Who makes the values: `json` is a model, a caller or a service; `code` is a function, whose dates are still dates. */
  from?: 'json' | 'code';
}

/**
 * Checks a schema of a definition.
 * @throws HoldfastError `InvalidDefinition`, naming the part of the schema
 */
export function checkSchema(
  schema: unknown,
  place: string,
  { isObject = false, from = 'json' }: Expected = {},
): asserts schema is Schema {
  if (!isSchema(schema)) fail(place, 'Expected a schema, such as `z.object({ … })`');
  const form = converted(schema, place);
  if (isObject && form.type !== 'object') fail(place, `Expected an object schema, ${gotInstead(form)}`);
  const unfit = from === 'json' ? unfitPart(schema) : undefined;
  if (unfit !== undefined) fail(place + unfit.path, `No JSON value fits \`${unfit.type}\`; use ${unfit.instead}`);
}

/** Models are offered objects: the APIs of several providers refuse a union there. */
function gotInstead({ type, anyOf, oneOf, allOf }: JsonSchema): string {
  const combined = anyOf ?? oneOf ?? (Array.isArray(type) ? type : undefined);
  const kind = combined !== undefined ? 'a union' : allOf !== undefined ? 'an intersection' : undefined;
  if (kind !== undefined) return `got ${kind}; put it into a field, as in \`z.object({ value: … })\``;
  return type === undefined ? 'got one without a type' : `got \`${String(type)}\``;
}

function converted(schema: Schema, place: string): JsonSchema {
  try {
    return toJsonSchema(schema);
  } catch (error) {
    fail(place, (error as Error).message);
  }
}

function fail(place: string, problem: string): never {
  throw new HoldfastError('InvalidDefinition', { place, problem });
}
