import { defined } from '../../../../agent/values/defined';
import { isJsonObject, type JsonObject } from '../../../../agent/values/json';
import { parseJson } from '../../../json-extent';
import { AnswerFault } from '../../failures/answer-fault';
import { ModelServerError } from '../../failures/server-error';

/** Causes that are followed. */
const MAX_CAUSES = 5;
/** Characters of what an error says that are kept of a text which is not the provider's own message. */
const EXCERPT = 300;

/** Errors that the AI SDK's packages throw before they send anything, and the codes of servers for the same. */
const CODES: ReadonlyMap<string, string> = new Map([
  ['AI_LoadAPIKeyError', 'invalid_api_key'],
  ['AI_NoSuchModelError', 'model_not_found'],
  ['AI_LoadSettingError', 'invalid_request_error'],
  ['AI_InvalidArgumentError', 'invalid_request_error'],
  ['AI_InvalidPromptError', 'invalid_request_error'],
  ['AI_UnsupportedFunctionalityError', 'invalid_request_error'],
]);

/** Errors of the AI SDK's packages, and of JavaScript, for an event that they cannot read. */
const UNREADABLE: ReadonlySet<unknown> = new Set([
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  // Nested beyond every stack.
  'RangeError',
]);

function unreadable(): AnswerFault {
  const why = 'it sends an event that the package of its AI SDK provider cannot read; a newer version may be able to';
  return new AnswerFault('unreadable', why);
}

/**
 * Any error of a provider's object in our form: status, code, message and the headers that say when to try again. All
 * else is left out: such an error holds the whole request. An error of the connection stays as it is.
 */
export function errorOf(error: unknown): unknown {
  const fault = causesOf(error).find((each) => each instanceof AnswerFault || each instanceof ModelServerError);
  if (fault !== undefined) return fault;
  if (!isJsonObject(error)) return new ModelServerError(String(error).slice(0, EXCERPT));
  const name = typeof error.name === 'string' ? error.name : '';
  if (UNREADABLE.has(name)) return unreadable();
  if (name === 'AI_EmptyResponseBodyError') return new AnswerFault('unfinished', 'the answer was empty');
  const code = CODES.get(name);
  if (code !== undefined) return new ModelServerError(`${messageIn(error)}${causeIn(error)}`, { code });
  if (isAnswered(error)) return answeredError(error);
  // Thrown by the connection, or by what reads the stream.
  if (error instanceof Error || typeof error.stack === 'string') return error;
  return saidError(error, error, undefined);
}

/** An error with a status, or with what the provider said. Status 200 belongs to a stream that broke. */
function isAnswered({ statusCode, data, responseBody }: JsonObject): boolean {
  if (typeof statusCode === 'number') return statusCode >= 300;
  return isJsonObject(data) || (typeof responseBody === 'string' && responseBody !== '');
}

function answeredError(error: JsonObject): ModelServerError | AnswerFault {
  const { statusCode, data, responseBody, responseHeaders } = error;
  const body = typeof responseBody === 'string' ? responseBody : '';
  const said = isJsonObject(data) ? data : jsonIn(body);
  // The package of Anthropic calls whatever is wrong with the first event an answer with status 500.
  if (UNREADABLE.has(said?.name)) return unreadable();
  // Without JSON in the body, the message is only the name of the status.
  const text = (said === undefined ? body.slice(0, EXCERPT).trim() : '') || messageIn(error);
  return saidError({ ...error, message: text }, said, {
    ...(typeof statusCode === 'number' ? { status: statusCode } : {}),
    headers: isJsonObject(responseHeaders) ? responseHeaders : {},
  });
}

/** @param said what the provider sent as JSON */
function saidError(
  error: JsonObject,
  said: JsonObject | undefined,
  answer: { status?: number; headers: JsonObject } | undefined,
): ModelServerError {
  const inner = isJsonObject(said?.error) ? said.error : (said ?? {});
  const details = Array.isArray(inner.details) ? inner.details.filter(isJsonObject) : [];
  const reasons = details.map(({ reason }) => reason);
  const codes = [inner.code, inner.type, inner.status, ...reasons]
    .filter((part) => (typeof part === 'string' && part !== '') || typeof part === 'number')
    .join(' ');
  const message = messageIn(inner) || (typeof said?.error === 'string' ? said.error : '') || messageIn(error);
  return new ModelServerError(message || codes || `status ${answer?.status ?? 'unknown'}`, {
    code: codes,
    headers: waitingHeaders(answer?.headers ?? {}, details),
    ...defined({ status: answer?.status }),
  });
}

/** The headers that say when to try again. Gemini says it in its body. */
function waitingHeaders(given: JsonObject, details: readonly JsonObject[]): Headers {
  const headers = new Headers();
  for (const name of ['retry-after', 'retry-after-ms']) {
    const value = given[name];
    // Headers of other characters cannot be kept.
    if (typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)) headers.set(name, value);
  }
  const delay = details.map(({ retryDelay }) => retryDelay).find((value) => typeof value === 'string');
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(delay ?? '')?.[1];
  if (seconds !== undefined && !headers.has('retry-after')) headers.set('retry-after', seconds);
  return headers;
}

function jsonIn(text: string): JsonObject | undefined {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    // A page, or a text: it is the message itself.
    return undefined;
  }
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return isJsonObject(first) ? first : undefined;
}

function messageIn({ message }: JsonObject): string {
  return typeof message === 'string' ? message : '';
}

/** What is wrong with an argument is in the cause only. */
function causeIn({ cause }: JsonObject): string {
  const message = isJsonObject(cause) ? messageIn(cause) : '';
  return message === '' ? '' : ` (${message.slice(0, EXCERPT)})`;
}

/** An error and its causes, the outermost first. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  let next = error;
  for (; causes.length < MAX_CAUSES && next !== undefined; next = isJsonObject(next) ? next.cause : undefined) {
    causes.push(next);
  }
  return causes;
}
