import { isJsonObject, type Json, type JsonObject } from './json';
import { shorten } from './shorten';

/**
 * Says in one sentence why a decoded JSON value is not a `T`; `undefined` if it is. Unknown fields are allowed, since
 * the value may come from a newer worker.
 */
export type Form<T> = ((value: unknown, place: string) => string | undefined) & {
  /** Never set. It lets the compiler tell forms apart. */
  readonly of?: T;
};

/** The form of a field that may be absent. */
export type Maybe<T> = Form<T> & { readonly optional: true };

/** A form for each field: a new field does not compile until it has one. */
export type FieldForms<T> = {
  readonly [Name in keyof T]-?: Partial<Pick<T, Name>> extends Pick<T, Name> ? Maybe<Required<T>[Name]> : Form<T[Name]>;
};

function expected(what: string, fits: (value: unknown) => boolean): Form<never> {
  return (value, place) => (fits(value) ? undefined : `Expected \`${place}\` to be ${what}`);
}

const anyText = expected('a string', (value) => typeof value === 'string');
export const text: Form<string> = anyText;
export const flag: Form<boolean> = expected('true or false', (value) => typeof value === 'boolean');
export const yes: Form<true> = exactly(true);
/** A name from a set that a newer worker may have extended. */
export const anyName: Form<never> = anyText;
export const number: Form<number> = expected('a number', Number.isFinite);
export const count: Form<number> = expected(
  'a whole number of at least 0',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
export const json: Form<Json> = expected('present', (value) => value !== undefined);
export const jsonObject: Form<JsonObject> = expected('an object', isJsonObject);

export function exactly<const Value extends boolean | number>(value: Value): Form<Value> {
  return expected(String(value), (given) => given === value);
}

/** One of a set of names, all of which must be listed. */
export function oneOf<Name extends string>(names: { readonly [N in Name]: true }): Form<Name> {
  const list = Object.keys(names);
  return expected(`one of ${list.join(', ')}`, (value) => typeof value === 'string' && list.includes(value));
}

/** A field that may be absent. */
export function maybe<T>(form: Form<T>): Maybe<T> {
  const check: Form<T> = (value, place) => (value === undefined ? undefined : form(value, place));
  return Object.assign(check, { optional: true as const });
}

export function listOf<T>(form: Form<T>): Form<T[]> {
  return (value, place) => {
    if (!Array.isArray(value)) return `Expected \`${place}\` to be a list`;
    return first(value.entries(), ([i, item]) => form(item, `${place}[${i}]`));
  };
}

export function recordOf<T>(form: Form<T>): Form<{ [key: string]: T }> {
  return (value, place) => {
    if (!isJsonObject(value)) return jsonObject(value, place);
    return first(Object.entries(value), ([key, item]) => form(item, `${place}.${shorten(key, 50)}`));
  };
}

export function objectOf<T extends object>(fields: FieldForms<T>): Form<T> {
  const forms = Object.entries<Form<unknown>>(fields);
  return (value, place) => {
    if (!isJsonObject(value)) return jsonObject(value, place);
    return first(forms, ([name, form]) => form(value[name], `${place}.${name}`));
  };
}

/** Objects that are told apart by their `type`. */
export function variantsOf<T extends { type: string }>(
  forms: {
    readonly [Type in T['type']]: Form<Extract<T, { type: Type }>>;
  },
): Form<T> {
  return toldApartBy('type', forms);
}

/** Objects that are told apart by their `status`. Their common fields are checked as well. */
export function withStatus<T extends { status: string }, Common extends object>(
  common: Form<Common>,
  forms: {
    readonly [Status in T['status']]: Form<Omit<Extract<T, { status: Status }>, keyof Common | 'status'>>;
  },
): Form<T> {
  const variant = toldApartBy('status', forms);
  return (value, place) => common(value, place) ?? variant(value, place);
}

function toldApartBy(field: 'type' | 'status', forms: { readonly [name: string]: Form<unknown> }): Form<never> {
  const byName = new Map(Object.entries(forms));
  const names = [...byName.keys()].join(', ');
  return (value, place) => {
    if (!isJsonObject(value)) return jsonObject(value, place);
    const name = value[field];
    const form = typeof name === 'string' ? byName.get(name) : undefined;
    return form === undefined ? `Expected \`${place}.${field}\` to be one of ${names}` : form(value, place);
  };
}

/** Objects that are told apart by the fields that they have. */
export function anyOf<T>(what: string, ...forms: readonly Form<T>[]): Form<T> {
  return (value, place) =>
    forms.some((form) => form(value, place) === undefined) ? undefined : `Expected \`${place}\` to be ${what}`;
}

function first<Item>(items: Iterable<Item>, problemOf: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
