import type { $ZodType, $ZodTypes } from 'zod/v4/core';
import type { Schema } from './schema';

/** A part of a schema that no JSON value fits. */
export interface UnfitPart {
  /** From the root, such as `.lines[].when`; empty for the root itself. */
  path: string;
  /** How the part is written, such as `z.date()`. */
  type: string;
  /** What to write for it. */
  instead: string;
  /** It says that there is no value, which is no fault where a value may be missing. */
  isAbsence: boolean;
}

const DATE = '`z.iso.datetime()`, which is a date as text';
const ABSENT = '`z.null()`, or leave it out';

/** Types that accept no JSON value, and what to write for them. JSON Schema cannot express them: zod writes `{}`. */
const INSTEAD: { readonly [type: string]: string } = {
  date: DATE,
  bigint: '`z.int()`, or `z.string()` for numbers over 2^53',
  set: '`z.array(…)`',
  map: '`z.record(z.string(), …)`',
  symbol: '`z.string()`',
  function: '`z.enum([…])` with the names of functions',
  file: '`z.string()` with a path, a URL or Base64',
  nan: '`z.null()`',
  undefined: ABSENT,
  void: ABSENT,
  never: '`z.never().optional()` for a field that must be missing',
};
const ABSENCE: ReadonlySet<string> = new Set(['undefined', 'void', 'never']);

type Found = UnfitPart | undefined;
type Seen = Map<$ZodType, Found>;

/**
 * The first part of a schema of zod for which JSON has no value: a caller can never fill it. Parts that fill themselves
 * (`default`, `prefault`, `catch`), and a union of which one branch fits, are fine. What counts is what a schema reads,
 * not what it makes of that. Schemas of other libraries are not read: valibot refuses such parts itself when it converts a
 * schema, arktype writes `{}` for them.
 */
export function unfitPart(schema: Schema): Found {
  return isZod(schema) ? find(schema, '', new Map()) : undefined;
}

function isZod(schema: unknown): schema is $ZodType {
  return (schema as Partial<$ZodType>)._zod?.def !== undefined;
}

function find(schema: $ZodType, path: string, seen: Seen): Found {
  if (seen.has(schema)) return seen.get(schema);
  // A part that contains itself is as good as the rest of it.
  seen.set(schema, undefined);
  const found = findIn(schema as $ZodTypes, path, seen);
  seen.set(schema, found);
  return found;
}

function findIn(schema: $ZodTypes, path: string, seen: Seen): Found {
  const { def } = schema._zod;
  const inside = (part: $ZodType, at = '') => find(part, path + at, seen);
  switch (def.type) {
    case 'date':
    case 'bigint':
      // `z.coerce.date()` and `z.coerce.bigint()` accept texts.
      return def.coerce === true ? undefined : unfit(path, def.type);
    case 'literal':
      return literal(def.values, path);
    case 'custom':
      return instance(schema._zod.bag.Class, path);
    case 'object':
      return (
        first(Object.entries(def.shape), ([name, part]) => inside(part, `.${name}`)) ??
        (def.catchall && unlessAbsence(inside(def.catchall, '.*')))
      );
    case 'array':
      return unlessAbsence(inside(def.element, '[]'));
    case 'tuple':
      return (
        first([...def.items.entries()], ([index, part]) => inside(part, `[${index}]`)) ??
        (def.rest === null ? undefined : unlessAbsence(inside(def.rest, '[]')))
      );
    case 'record':
      return unlessAbsence(inside(def.keyType, '.*') ?? inside(def.valueType, '.*'));
    case 'union':
      return anyOf(def.options, (part) => inside(part));
    case 'intersection':
      return inside(def.left) ?? inside(def.right);
    case 'optional':
    case 'nullable':
      return unlessAbsence(inside(def.innerType));
    case 'nonoptional':
    case 'readonly':
    case 'promise':
      return inside(def.innerType);
    case 'lazy':
      return inside(def.getter());
    case 'pipe':
      return inside(def.in);
    default:
      return INSTEAD[def.type] === undefined ? undefined : unfit(path, def.type);
  }
}

function unfit(path: string, type: string): UnfitPart {
  return { path, type: `z.${type}()`, instead: INSTEAD[type] ?? '', isAbsence: ABSENCE.has(type) };
}

function unlessAbsence(found: Found): Found {
  return found?.isAbsence ? undefined : found;
}

function first<T>(parts: readonly T[], of: (part: T) => Found): Found {
  for (const part of parts) {
    const found = of(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A date cannot be given by a branch `null` beside it, so such a branch does not count. */
function anyOf(options: readonly $ZodType[], of: (part: $ZodType) => Found): Found {
  const others = options.filter(({ _zod: { def } }) => def.type !== 'null');
  const found = others.map(of);
  if (found.includes(undefined)) return undefined;
  const isNullable = others.length < options.length;
  return found.find((one) => one?.isAbsence === false) ?? (isNullable ? undefined : found[0]);
}

function literal(values: readonly unknown[], path: string): Found {
  if (values.some((value) => value !== undefined && typeof value !== 'bigint')) return undefined;
  const [value] = values;
  const written = typeof value === 'bigint' ? `${value}n` : String(value);
  const instead = value === undefined ? ABSENT : 'a text or a number';
  return { path, type: `z.literal(${written})`, instead, isAbsence: values.every((one) => one === undefined) };
}

/** `z.instanceof(…)`: JSON has only plain objects and lists. Other custom types may accept anything. */
function instance(type: unknown, path: string): Found {
  if (typeof type !== 'function' || [{}, []].some((value) => value instanceof type)) return undefined;
  const instead = type === Date ? DATE : '`z.object({ … })` or `z.string()`';
  return { path, type: `z.instanceof(${type.name})`, instead, isAbsence: false };
}
