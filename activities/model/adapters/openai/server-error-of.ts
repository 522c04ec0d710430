import { APIConnectionError, APIError } from 'openai';
import { isJsonObject } from '../../../../agent/values/json';
import { ModelServerError } from '../../failures/server-error';
import { explained, sentErrorIn } from './error-body';

/** An error of the client in our form. One without an answer stays as it is. */
export function serverErrorOf(error: unknown): unknown {
  if (!(error instanceof APIError) || error instanceof APIConnectionError) return error;
  const { status, code, type, param, headers } = error;
  return new ModelServerError(error.message, { status, code: codesOf(code, type, param), headers });
}

/** The error that a server sends with status 200, if `json` is one. */
export function sentError(json: unknown, headers: Headers): ModelServerError | undefined {
  const error = sentErrorIn(json);
  if (error === undefined) return undefined;
  if (!isJsonObject(error)) {
    return new ModelServerError(typeof error === 'string' ? error : JSON.stringify(error), { headers });
  }
  const { message, code, type, param } = explained(error);
  const text = typeof message === 'string' && message !== '' ? message : JSON.stringify(message || error);
  return new ModelServerError(text, { code: codesOf(code, type, param), headers });
}

/** Typed as text, but they are what the server sent: even an object that cannot become text. */
function codesOf(...said: readonly unknown[]): string {
  return said.filter((part) => (typeof part === 'string' && part !== '') || typeof part === 'number').join(' ');
}
