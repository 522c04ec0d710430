import { z } from 'zod';
import { isHeaderName, isHeaderValue, UNSENDABLE } from '../../agent/define/checks/headers';
import { nearNames } from '../../agent/model/names/name-table';
import { milliseconds } from '../../agent/values/duration';
import { SPACE_FOLLOWS, SPACELESS } from './yaml/yaml-fault';

// Messages never contain a value of the file: it may be a secret, or come from the environment.

const SECTION = 'a section';

/**
 * An object whose unknown keys are errors that suggest the intended key.
 * @param instead what to write for keys that are easily expected, and are none
 */
export function section<Shape extends z.ZodRawShape>(shape: Shape, instead: { readonly [key: string]: string } = {}) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return expectedSection(issue, SECTION);
      const key = String(issue.keys[0]);
      return Object.hasOwn(instead, key) ? `There is no \`${key}\` here; ${instead[key]}` : unknownKey(key, known);
    },
  });
}

/** What is said of a key that an object does not have. */
export function unknownKey(key: string, known: readonly string[]): string {
  const [near] = nearNames(key, known);
  return near === undefined
    ? `There is no \`${key}\` here; possible are ${known.map((name) => `\`${name}\``).join(', ')}`
    : `There is no \`${key}\` here; did you mean \`${near}\`?`;
}

const NOTHING = 'it has no value';
const kindOf = (value: unknown) => {
  if (value === undefined || value === null) return NOTHING;
  if (typeof value === 'object') return Array.isArray(value) ? 'got a list' : 'got a section';
  return typeof value === 'string' ? 'got a string' : `got a ${typeof value}`;
};
export const expected = (issue: { input?: unknown }, what: string) => `Expected ${what}, ${kindOf(issue.input)}`;

/** `temporal: localhost:7233` has no space too few. */
const ADDRESS = /^(?:localhost|[\w-]+(?:\.[\w-]+)+):\d+$/;

/** What is said of a value that has no settings. `baseUrl:http://x` is one text. */
export function expectedSection(issue: { input?: unknown }, what: string): string {
  const said = expected(issue, what);
  if (what === SECTION && typeof issue.input === 'string' && ADDRESS.test(issue.input)) {
    return `${said}; an address is one of its settings, as in \`address: localhost:7233\``;
  }
  const isSpaceless = typeof issue.input === 'string' && SPACELESS.test(issue.input);
  if (isSpaceless) return `${said}. ${SPACE_FOLLOWS}`;
  // Others show in an example what to write, and that there is nothing may be meant.
  if (what !== SECTION || issue.input === null || issue.input === undefined) return said;
  const list = Array.isArray(issue.input) ? ', without `-` or brackets' : '';
  return `${said}; write its settings as \`name: value\`${list}`;
}

export const text = z
  .string({ error: (issue) => expected(issue, 'a string') })
  .trim()
  .min(1, 'Expected a non-empty string');
export const url = text
  .refine((value) => /^https?:\/\/[^/]/.test(value) && URL.canParse(value), {
    error: 'Expected a URL that begins with `http://` or `https://`, such as `https://api.openai.com/v1`',
    abort: true,
  })
  .refine((value) => new URL(value).username + new URL(value).password === '', {
    error: 'Expected a URL without user name and password; use `apiKey` or `headers`',
  });

/** What requests add to the URL of an API. */
const ENDPOINT = /\/(chat\/completions|responses|embeddings)\/*$/;
/** The URL of an API with several endpoints. It must not be shown: a query may hold a key. */
export const apiUrl = url.check(({ value, issues }) => {
  const endpoint = URL.canParse(value) ? ENDPOINT.exec(new URL(value).pathname)?.[1] : undefined;
  if (endpoint === undefined) return;
  const message = `Remove \`/${endpoint}\` from its path: each request adds it to the URL of the API`;
  issues.push({ code: 'custom', input: value, message });
});

// `${PORT}` inserts a text; where a number or a switch is expected, it is parsed as one.
const asNumber = (value: unknown) =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
export const asSwitch = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : value);

export const number = (least: number, what: string, most = Number.MAX_VALUE) => {
  const error = (issue: { input?: unknown }) => expected(issue, what);
  return z.preprocess(asNumber, z.number({ error }).min(least, `Expected ${what}`).max(most, `Expected ${what}`));
};
export const whole = (least: number, most = Number.MAX_SAFE_INTEGER) => {
  const what = `a whole number of at least ${least}`;
  const error = (issue: { input?: unknown }) => expected(issue, what);
  return z.preprocess(asNumber, z.int({ error }).min(least, `Expected ${what}`).max(most, `Expected at most ${most}`));
};
export const integer = z.preprocess(asNumber, z.int({ error: (issue) => expected(issue, 'a whole number') }));
export const yesNo = z.preprocess(asSwitch, z.boolean({ error: (issue) => expected(issue, '`true` or `false`') }));
/** Milliseconds: a smaller number without a unit was probably meant as seconds. */
const LEAST_BARE = 1000;
const NO_UNIT =
  'A number without a unit is milliseconds; write the unit of so small a number, such as `30s` or `500ms`';
const durationFrom = (leastBare: number) =>
  z.unknown().transform((value, context) => {
    const given = asNumber(value);
    const ms = milliseconds(given);
    const isBare = typeof given === 'number' && given < leastBare;
    if (ms !== undefined && !isBare) return ms;
    const message = ms === undefined ? "Expected milliseconds or a duration such as '30s'" : NO_UNIT;
    context.issues.push({ code: 'custom', input: value, message });
    return z.NEVER;
  });
export const duration = durationFrom(LEAST_BARE);
/** Programs calculate in milliseconds. */
export const durationInCode = durationFrom(0);
// `--port` and 8080 are both arguments: YAML's numbers and booleans are taken as they are written.
export const argument = z.preprocess(
  (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
  z.string({ error: (issue) => expected(issue, 'a string') }),
);
export const texts = (one: z.ZodType<string>, what: string) =>
  z.array(one, { error: (issue) => expected(issue, `a list of ${what}`) });
export const named = <Value extends z.ZodType>(value: Value, what = 'names and their values') =>
  z.record(z.string(), value, { error: (issue) => expectedSection(issue, what) });

/**
 * One of two sections. A union would report errors of both: a key that only one of them has shows which one is meant.
 * @param neither the message if both keys are missing
 */
export function eitherOf<One extends z.ZodType, Other extends z.ZodType>(
  [key, one]: [string, One],
  [otherKey, other]: [string, Other],
  neither: string,
) {
  return z.unknown().transform((value, context): z.output<One> | z.output<Other> => {
    const isSection = typeof value === 'object' && value !== null;
    const keys = isSection ? Object.keys(value) : [];
    const hasNeither = isSection && !keys.includes(key) && !keys.includes(otherKey);
    const meant = hasNeither ? keys.flatMap((name) => nearNames(name, [key, otherKey]))[0] : undefined;
    const fits = keys.includes(key) || meant === key ? one : other;
    return parsedAs(fits, value, context, (issue) =>
      hasNeither && issue.path[0] === otherKey ? neither : issue.message,
    );
  });
}

/** The value as one schema parses it, in a transformation that has chosen the schema. */
export function parsedAs<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  context: Pick<z.RefinementCtx, 'issues'>,
  said: (issue: z.core.$ZodIssue) => string = ({ message }) => message,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    const again = { ...issue, message: said(issue), path: [...issue.path], input: undefined };
    context.issues.push(again as (typeof context.issues)[number]);
  }
  return z.NEVER;
}

const headerValue = argument.refine(isHeaderValue, { error: UNSENDABLE });
/** A request with a name that no header can have fails each time, as if its server did not answer. */
const withNames = <Value extends z.ZodType>(value: Value) =>
  named(value).check(({ value: headers, issues }) => {
    for (const name of Object.keys(headers)) {
      if (isHeaderName(name)) continue;
      issues.push({ code: 'custom', input: headers, path: [name], message: 'This is not a valid header name' });
    }
  });
export const headers = withNames(headerValue);
export const fullHeaders = withNames(
  headerValue.refine((value) => value !== '', { error: 'Expected a non-empty string of one line' }),
);
