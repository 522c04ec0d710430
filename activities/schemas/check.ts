import { createHash } from 'node:crypto';
import Ajv, { type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import { problemAt } from '../../agent/contracts/schema';
import type { JsonSchema } from '../../agent/protocol/manifest';
import { synchronous } from './bounded-schema';
import { patternOf } from './linear-pattern';
import { uniqueItems } from './unique-items';
import { isUrl } from './url-format';

/** `note` says why a schema could not be used: log it; the value then counts as valid. */
/** `unchecked`: checking would take too long; `problem` then says all. */
export type SchemaCheck = { ok: true; note?: string } | { ok: false; problem: string; unchecked?: true };

type Compiled = ValidateFunction | { broken: string };

/** Problems named in one message; a model that gets more of them wrong does not need the rest. */
const MAX_PROBLEMS = 5;
/**
 * Compiled schemas kept, and their characters: a worker rarely serves more tools. Compiled, they take about 30 times as
 * much.
 */
const MAX_COMPILED = { max: 1000, maxSize: 2_000_000 } as const;

const OPTIONS: Options = {
  // Real tool schemas have custom keywords and unknown formats.
  strict: false,
  allErrors: true,
  // Coercion needs the schema that a value does not fit.
  verbose: true,
  // Schemas of several servers share an `$id`; adding the second would throw.
  addUsedSchema: false,
  // A schema of an old draft names a meta schema that ajv does not know; what ajv cannot compile still throws.
  validateSchema: false,
  logger: false,
  // The engine's source text only matters for generated code that is written to files.
  code: { regExp: Object.assign(patternOf, { code: 'patternOf' }) },
};

/** Schemas that one compiler compiles, and their characters: it keeps parts of each forever, and is then replaced. */
const MAX_SCHEMAS = { count: 200, chars: 500_000 } as const;
/** Problems that are read: a value of 64 KB may have about 20,000. */
const MAX_ERRORS = 100;

/** The `$id` of a schema that has none: ajv resolves `#` only from a name. */
const NAME = 'schema';

const compilers: { [dialect in '2020' | 'draft-07']?: { ajv: Ajv; count: number; chars: number } } = {};
const byObject = new WeakMap<JsonSchema, Compiled>();
const byText = new LRUCache<string, Compiled>(MAX_COMPILED);

/**
 * Checks a value against a JSON Schema. `problem` is one line that names each failing path and what was expected there.
 * A schema that cannot be compiled accepts everything, with a note: a tool's broken schema must not end a run.
 */
export function checkAgainstSchema(schema: JsonSchema, value: unknown): SchemaCheck {
  const validate = compiled(schema);
  if (typeof validate !== 'function') return { ok: true, note: validate.broken };
  try {
    if (validate(value)) return { ok: true };
  } catch (error) {
    // For example, infinite recursion.
    return { ok: true, note: `The schema cannot be evaluated: ${String(error)}` };
  }
  return { ok: false, problem: problemOf(validate.errors ?? []) };
}

/** The errors of a value; none if it fits, or if the schema cannot be used. */
export function schemaErrors(schema: JsonSchema, value: unknown): ErrorObject[] {
  const validate = compiled(schema);
  return typeof validate === 'function' && !validate(value) ? [...(validate.errors ?? [])] : [];
}

/** Why a schema cannot be used for checks; `undefined` if it can. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  const validate = compiled(schema);
  return typeof validate === 'function' ? undefined : validate.broken;
}

function compiled(schema: JsonSchema): Compiled {
  const known = byObject.get(schema);
  if (known !== undefined) return known;
  // A manifest is parsed again whenever it falls out of a cache: the text finds the earlier compilation.
  const text = JSON.stringify(schema);
  const key = createHash('sha256').update(text).digest('base64');
  const result = byText.get(key) ?? compile(schema, text.length);
  byObject.set(schema, result);
  byText.set(key, result, { size: text.length });
  return result;
}

function compile(schema: JsonSchema, chars: number): Compiled {
  const dialect = String(schema.$schema ?? '').includes('2020-12') ? '2020' : 'draft-07';
  try {
    return compilerOf(dialect, chars).compile({ $id: NAME, ...synchronous(schema) });
  } catch (error) {
    return { broken: `The schema cannot be compiled: ${(error as Error).message}` };
  }
}

function compilerOf(dialect: '2020' | 'draft-07', chars: number): Ajv {
  const known = compilers[dialect];
  if (known !== undefined && known.count < MAX_SCHEMAS.count && known.chars < MAX_SCHEMAS.chars) {
    known.count++;
    known.chars += chars;
    return known.ajv;
  }
  const ajv = dialect === '2020' ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS);
  addFormats(ajv);
  ajv.addFormat('url', { validate: isUrl });
  ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems);
  compilers[dialect] = { ajv, count: 1, chars };
  return ajv;
}

function problemOf(errors: readonly ErrorObject[]): string {
  const lines = [...new Set(errors.slice(0, MAX_ERRORS).map(lineOf))];
  const more = lines.length > MAX_PROBLEMS ? [`and ${lines.length - MAX_PROBLEMS} more`] : [];
  return [...lines.slice(0, MAX_PROBLEMS), ...more].join('; ');
}

function lineOf({ instancePath, keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return problemAt(keysOf(instancePath, params.missingProperty), 'is required');
    case 'additionalProperties':
      return problemAt(keysOf(instancePath, params.additionalProperty), 'is not a known field');
    case 'unevaluatedProperties':
      return problemAt(keysOf(instancePath, params.unevaluatedProperty), 'is not a known field');
    case 'enum':
      return problemAt(keysOf(instancePath), `must be one of ${cut(JSON.stringify(params.allowedValues))}`);
    case 'const':
      return problemAt(keysOf(instancePath), `must be ${cut(JSON.stringify(params.allowedValue))}`);
    default:
      return problemAt(keysOf(instancePath), message ?? keyword);
  }
}

function keysOf(pointer: string, last?: unknown): string[] {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (last !== undefined) keys.push(String(last));
  return keys;
}

function cut(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`;
}
