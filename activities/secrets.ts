import type { EnvReference } from '../agent/define-agent';

type Given = string | EnvReference;
type Headers = { readonly [name: string]: Given };

/** Shorter values (`1`, `on`) are no secrets, and hiding them would make texts unreadable. */
const SECRET_LENGTH = 4;

/** A value that is shorter than this is a word, and no secret, where it stands in an argument or in a line of a key. */
export const ARGUMENT_LENGTH = 8;

/**
 * A text without these secrets: it goes into errors, which go into history and logs. To be called before a text is cut:
 * half a secret is not found any more.
 */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap(shapesOf)
    .filter((value) => value.length >= SECRET_LENGTH)
    .sort((a, b) => b.length - a.length)
    .reduce((clean, value) => clean.replaceAll(value, '***'), text);
}

/** Keys of certificates are printed line by line, and everything is printed as JSON. */
function shapesOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).filter((line) => !line.startsWith('-----'));
  const own = lines.length > 1 ? [secret, ...lines.filter((line) => line.length >= ARGUMENT_LENGTH)] : [secret];
  return [...own, ...own.map((value) => JSON.stringify(value).slice(1, -1))];
}

/**
 * What a definition's value stands for.
 * @throws what `missing` makes of a variable that the worker's environment lacks
 */
export function resolveValue(given: Given, missing: (variable: string) => Error): string {
  if (typeof given === 'string') return given;
  const value = process.env[given.env];
  if (value === undefined || value === '') throw missing(given.env);
  return (given.prefix ?? '') + value;
}

/** The same for headers. */
export function resolveHeaders(
  headers: Headers,
  missing: (variable: string, header: string) => Error,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, given]) => [name, resolveValue(given, (variable) => missing(variable, name))]),
  );
}

/** What of headers nobody may read. */
export function headerSecrets(headers: Headers = {}): string[] {
  return Object.values(headers).flatMap((given) => {
    if (typeof given !== 'string') return [process.env[given.env] ?? ''];
    // Of `Bearer abc` servers repeat the second word alone.
    return [given, given.split(/\s+/).at(-1) ?? ''];
  });
}

/** What of an address nobody may read: keys are also passed in the query. */
export function querySecrets(url: string): string[] {
  const { search, searchParams } = new URL(url);
  const raw = search.slice(1).split('&');
  return [...raw.map((pair) => pair.slice(pair.indexOf('=') + 1)), ...searchParams.values()];
}
