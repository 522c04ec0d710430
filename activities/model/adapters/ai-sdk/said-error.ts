import { defined } from '../../../../agent/values/defined';
import { isJsonObject, type JsonObject } from '../../../../agent/values/json';
import { ModelServerError } from '../../failures/server-error';
import { errorIn, explained, sentErrorIn } from '../openai/error-body';

/** The answer that an error came with. */
interface Answered {
  status?: number;
  headers?: JsonObject;
}

/**
 * The error in an event of a stream, as the server sent it. Packages pass on less of it: the message alone, or that they do
 * not know such an event.
 */
export function eventError(event: unknown, answered?: Answered): ModelServerError | undefined {
  const error = sentErrorIn(event) ?? awsException(event);
  if (error === undefined) return undefined;
  if (isJsonObject(error)) return saidError(explained(error), '', answered);
  return typeof error === 'string' ? saidError({ message: error }, '', answered) : undefined;
}

/** Amazon names the kind of an error by its field: `{ throttlingException: { message: '…' } }`. */
function awsException(event: unknown): JsonObject | undefined {
  for (const [code, value] of isJsonObject(event) ? Object.entries(event) : []) {
    if (code.endsWith('Exception') && isJsonObject(value)) return { ...value, code };
  }
  return undefined;
}

/**
 * The error in the body of an answer.
 * @param message what is said without one
 */
export function bodyError(body: JsonObject, message: string, answered: Answered): ModelServerError {
  // OpenAI's package makes an answer of a stream that begins with a response that failed.
  const failed = isJsonObject(body.response) ? body.response : body;
  return saidError(errorIn(failed) ?? body, message, answered);
}

/** @param error in OpenAI's form, or with the fields of others */
export function saidError(error: JsonObject, otherwise: string, answered: Answered = {}): ModelServerError {
  const { message, code, type, status } = error;
  const codes = [code, type, status]
    .filter((part) => (typeof part === 'string' && part !== '') || typeof part === 'number')
    .join(' ');
  const words = typeof message === 'string' && message !== '' ? message : otherwise;
  return new ModelServerError(words || codes || `status ${answered.status ?? 'unknown'}`, {
    code: codes,
    headers: waitingHeaders(answered.headers ?? {}, error.details),
    ...defined({ status: answered.status }),
  });
}

/** The headers that say when to try again. Gemini says it in its body. */
function waitingHeaders(given: JsonObject, details: unknown): Headers {
  const headers = new Headers();
  for (const name of ['retry-after', 'retry-after-ms', 'date']) {
    const value = given[name];
    // Headers of other characters cannot be kept.
    if (typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)) headers.set(name, value);
  }
  const delay = (Array.isArray(details) ? details : [])
    .map((detail: unknown) => (isJsonObject(detail) ? detail.retryDelay : undefined))
    .find((value) => typeof value === 'string');
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(delay ?? '')?.[1];
  if (seconds !== undefined && !headers.has('retry-after')) headers.set('retry-after', seconds);
  return headers;
}
