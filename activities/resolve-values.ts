import type { EnvReference } from '../agent/define/mcp-server';

type Given = string | EnvReference;
type Headers = { readonly [name: string]: Given };

/**
 * Resolves a definition's value, which may refer to an environment variable.
 * @throws the error of `missing` if the worker's environment lacks the variable
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
