import { createHash } from 'node:crypto';
import Ajv, { type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { JsonSchema } from '../agent/manifest';

/** `note` says why a schema could not be used: it belongs in a log, the value then counts as fitting. */
export type SchemaCheck = { ok: true; note?: string } | { ok: false; problem: string };

type Compiled = ValidateFunction | { broken: string };

/** Problems named in one message; a model that gets more of them wrong does not need the rest. */
const MAX_PROBLEMS = 5;
/** Compiled schemas kept; a worker rarely serves more tools than that. */
const MAX_COMPILED = 1000;

const OPTIONS: Options = {
  // Real tool schemas have keywords of their own and unknown formats.
  strict: false,
  allErrors: true,
  // Schemas of several servers share an `$id`; adding the second would throw.
  addUsedSchema: false,
  // A schema of an old draft names a meta schema that ajv does not know; what it cannot compile still throws.
  validateSchema: false,
  logger: false,
};

const compilers: { [dialect in '2020' | 'draft-07']?: Ajv } = {};
const byObject = new WeakMap<JsonSchema, Compiled>();
const byText = new Map<string, Compiled>();

/**
 * Checks a value against a JSON Schema. `problem` is one line that names each failing path and what was expected there.
 * A schema that cannot be compiled lets everything pass, with a note: a tool's broken schema must not end a run.
 */
export function checkAgainstSchema(schema: JsonSchema, value: unknown): SchemaCheck {
  const validate = compiled(schema);
  if (typeof validate !== 'function') return { ok: true, note: validate.broken };
  try {
    if (validate(value)) return { ok: true };
  } catch (error) {
    // A recursion without an end, say.
    return { ok: true, note: `The schema cannot be evaluated: ${String(error)}` };
  }
  return { ok: false, problem: problemOf(validate.errors ?? []) };
}

/** Why nothing can be checked against a schema; `undefined` where it is sound. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  const validate = compiled(schema);
  return typeof validate === 'function' ? undefined : validate.broken;
}

function compiled(schema: JsonSchema): Compiled {
  const known = byObject.get(schema);
  if (known !== undefined) return known;
  // The same manifest is parsed again whenever it falls out of a cache: its text finds what was compiled before.
  const key = createHash('sha256').update(JSON.stringify(schema)).digest('base64');
  const result = byText.get(key) ?? compile(schema);
  byObject.set(schema, result);
  byText.delete(key);
  byText.set(key, result);
  if (byText.size > MAX_COMPILED) byText.delete(byText.keys().next().value as string);
  return result;
}

function compile(schema: JsonSchema): Compiled {
  const dialect = String(schema.$schema ?? '').includes('2020-12') ? '2020' : 'draft-07';
  try {
    return compilerOf(dialect).compile(schema);
  } catch (error) {
    return { broken: `The schema cannot be compiled: ${(error as Error).message}` };
  }
}

function compilerOf(dialect: '2020' | 'draft-07'): Ajv {
  const known = compilers[dialect];
  if (known !== undefined) return known;
  const ajv = dialect === '2020' ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS);
  addFormats(ajv);
  compilers[dialect] = ajv;
  return ajv;
}

function problemOf(errors: readonly ErrorObject[]): string {
  const lines = [...new Set(errors.map(lineOf))];
  const more = lines.length > MAX_PROBLEMS ? [`and ${lines.length - MAX_PROBLEMS} more`] : [];
  return [...lines.slice(0, MAX_PROBLEMS), ...more].join('; ');
}

function lineOf({ instancePath, keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return `${pathOf(instancePath, params.missingProperty)}: is required`;
    case 'additionalProperties':
      return `${pathOf(instancePath, params.additionalProperty)}: is not a known field`;
    case 'unevaluatedProperties':
      return `${pathOf(instancePath, params.unevaluatedProperty)}: is not a known field`;
    case 'enum':
      return `${pathOf(instancePath)}: must be one of ${cut(JSON.stringify(params.allowedValues))}`;
    case 'const':
      return `${pathOf(instancePath)}: must be ${cut(JSON.stringify(params.allowedValue))}`;
    default:
      return `${pathOf(instancePath)}: ${message ?? keyword}`;
  }
}

function pathOf(pointer: string, last?: unknown): string {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (last !== undefined) keys.push(String(last));
  return keys.length === 0 ? '(root)' : keys.join('.');
}

function cut(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`;
}
