import type { EnvReference } from '../mcp-server';
import { fail } from './fail';

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VARIABLE_NAME = /^[A-Za-z_]\w*$/;

export function isHeaderName(name: string): boolean {
  return HEADER_NAME.test(name);
}

/** The problem of a header that cannot be sent. */
export const UNSENDABLE = 'Expected one line of ASCII or Latin-1 characters, which are all that a header can have';

/** Whether a value can be sent: one line of ASCII or Latin-1. */
export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

/** Checks headers that are set in code, where values may be given by reference only. */
export function checkHeaders(headers: unknown, place: string): void {
  for (const [name, value] of Object.entries(headers ?? {})) {
    const at = `${place}.${name}`;
    if (!isHeaderName(name)) fail(at, 'This is not a valid header name');
    checkReference(value, at);
  }
}

/** Checks a secret that is set in code. The value is never shown: it may be the secret itself, given by mistake. */
export function checkReference(value: unknown, place: string): void {
  if (!isReference(value)) {
    fail(place, "Expected `{ env: 'NAME' }`: keep secrets in the environment, and plain values in temporal.yaml");
  }
}

function isReference(value: unknown): value is EnvReference {
  if (typeof value !== 'object' || value === null) return false;
  const { env, prefix, ...rest } = value as Record<string, unknown>;
  if (typeof env !== 'string' || !VARIABLE_NAME.test(env)) return false;
  return (prefix === undefined || typeof prefix === 'string') && Object.keys(rest).length === 0;
}
