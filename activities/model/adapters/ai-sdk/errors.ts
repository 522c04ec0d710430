import { isJsonObject, type JsonObject } from '../../../../agent/values/json';
import { parseJson } from '../../../json-extent';
import { AnswerFault } from '../../failures/answer-fault';
import { ModelServerError } from '../../failures/server-error';
import { metadataOf } from './answer/provider-metadata';
import { bodyError, eventError, saidError } from './said-error';

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

/** What V8 says where a package takes for granted what an event does not have. The connection has other words. */
const MISSES_A_FIELD = /\b(undefined|null)\b|is not (a function|iterable)/;

/**
 * Any error of a provider's object in our form: status, code, message and the headers that say when to try again. All
 * else is left out: such an error holds the whole request. An error of the connection stays as it is.
 * @param event the last event of the stream as the provider sent it, if the error came with one
 */
export function errorOf(error: unknown, event?: unknown): unknown {
  const causes = causesOf(error);
  const fault = causes.find((each) => each instanceof AnswerFault || each instanceof ModelServerError);
  if (fault !== undefined) return fault;
  const said = eventError(event, isJsonObject(error) ? answerTo(error) : undefined);
  if (said !== undefined) return said;
  if (!isJsonObject(error)) return new ModelServerError(String(error).slice(0, EXCERPT));
  const name = nameOf(error);
  if (isUnreadable(error)) return unreadable(error);
  if (name === 'AI_JSONParseError') return brokenEvent(error);
  if (name === 'AI_EmptyResponseBodyError') return new AnswerFault('unfinished', 'the answer was empty');
  const code = CODES.get(name);
  if (code !== undefined) return new ModelServerError(`${messageIn(error)}${causeIn(error)}`, { code });
  // The gateway's package wraps the answer in an error without its headers, and calls a lost connection an answer.
  const answer = causes.find((each) => isJsonObject(each) && each.name === 'AI_APICallError') ?? error;
  if (isJsonObject(answer) && isAnswered(answer)) return answeredError(answer);
  // Thrown by the connection, or by what reads the stream.
  if (error instanceof Error || typeof error.stack === 'string') return error;
  return saidError(error, '');
}

function isUnreadable(error: JsonObject): boolean {
  const name = nameOf(error);
  if (UNREADABLE.has(name)) return true;
  return name === 'TypeError' && error.cause === undefined && MISSES_A_FIELD.test(messageIn(error));
}

/** What is wrong with an event that a package cannot read: it may be an error that the package does not know. */
function unreadable(error: JsonObject): AnswerFault | ModelServerError {
  const { value, data } = error;
  const isInvalid = nameOf(error) === 'AI_InvalidResponseDataError';
  // No data are wrong: the package misses the end of the stream.
  if (isInvalid && data === undefined) return new AnswerFault('unfinished', 'the answer was broken off');
  const why = 'it sends an event that the package of its AI SDK provider cannot read; a newer version may be able to';
  return eventError(value) ?? plainError(value) ?? new AnswerFault('unreadable', `${why}${excerptOf(value ?? data)}`);
}

/** An event that is cut, or the words of a proxy. */
function brokenEvent({ text }: JsonObject): AnswerFault {
  const said = typeof text === 'string' ? text.trim().slice(0, EXCERPT) : '';
  return new AnswerFault('unfinished', `it sends an event that is not JSON: ${said}`);
}

/** An error without a wrapper, as some gateways send it. */
function plainError(event: unknown): ModelServerError | undefined {
  if (!isJsonObject(event) || messageIn(event) === '' || (event.code ?? undefined) === undefined) return undefined;
  return saidError(event, '');
}

function excerptOf(event: unknown): string {
  const text = isJsonObject(event) ? JSON.stringify(metadataOf(event)) : undefined;
  return text === undefined ? '' : `: ${text.slice(0, EXCERPT)}`;
}

/** An error with a status, or with what the provider said. Status 200 without a body belongs to a stream that broke. */
function isAnswered({ statusCode, data, responseBody }: JsonObject): boolean {
  if (typeof statusCode === 'number' && statusCode >= 300) return true;
  return isJsonObject(data) || (typeof responseBody === 'string' && responseBody !== '');
}

function answerTo({ statusCode, responseHeaders }: JsonObject): { status?: number; headers?: JsonObject } {
  return {
    ...(typeof statusCode === 'number' && statusCode >= 300 ? { status: statusCode } : {}),
    ...(isJsonObject(responseHeaders) ? { headers: responseHeaders } : {}),
  };
}

function answeredError(error: JsonObject): ModelServerError | AnswerFault {
  const { data, responseBody } = error;
  const body = typeof responseBody === 'string' ? responseBody : '';
  // Packages keep of the body what their own server sends.
  const said = jsonIn(body) ?? (isJsonObject(data) ? data : undefined);
  // The package of Anthropic calls whatever is wrong with the first event an answer with status 500.
  if (said !== undefined && UNREADABLE.has(said.name)) return unreadable(said);
  const answer = answerTo(error);
  if (answer.status === undefined && typeof error.statusCode === 'number') {
    const why = 'it answers with JSON instead of a stream';
    return eventError(said, answer) ?? new AnswerFault('foreign', why);
  }
  if (said !== undefined) return bodyError(said, messageIn(error), answer);
  // Without JSON in the body, the message is only the name of the status.
  return saidError({}, body.slice(0, EXCERPT).trim() || messageIn(error), answer);
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

function nameOf({ name }: JsonObject): string {
  return typeof name === 'string' ? name : '';
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
