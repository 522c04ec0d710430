import { ApplicationFailure } from '@temporalio/common';
import { type ErrorData, HoldfastError } from '../../../agent/errors/error';
import { isAdapted, type ModelConfig } from '../../../agent/model/config';
import type { PartialAnswer } from '../../../agent/protocol/calls/model-call';
import { defined } from '../../../agent/values/defined';
import { hideSecrets } from '../../../runtime/secrets/redact';
import { settingsSecrets } from '../../../runtime/secrets/settings-secrets';
import { retryAfter } from '../../failures/retry-after';
import { adapterFor } from '../adapters/adapter-for';
import { type ErrorSigns, type ModelErrorType, rowFor, signsOf } from './error-table';
import { ModelServerError } from './server-error';

/** Characters of a provider's own message that are kept. */
const MAX_PROBLEM = 500;

/** Characters of a page that are read. */
const MAX_PAGE = 4000;

/** Errors whose advice depends on what speaks with the server. */
const NAMES_ADAPTER: ReadonlySet<ModelErrorType> = new Set([
  'ModelUnauthorized',
  'ModelNotFound',
  'ModelUnavailable',
  'ModelAnswerUnreadable',
]);

/** What is known of a call beside its error. */
interface FailedCall {
  /** What had arrived. */
  partial?: PartialAnswer;
  /** An earlier call of the run was answered. */
  answeredBefore?: boolean;
  /** Milliseconds since 1970, for a Retry-After that is a date. Default: now. */
  now?: number;
}

/**
 * The failure of the activity for anything that went wrong in a model call. Its type is stable, its details are the
 * data of the error and what had arrived, its delay is what the server asks for. The cause is left out on purpose: it
 * could hold the key.
 */
export function modelFailure(
  error: unknown,
  config: ModelConfig,
  { partial, answeredBefore, now = Date.now() }: FailedCall = {},
): ApplicationFailure {
  const asked: FailedCall & { address: string } = {
    address: adapterFor(config).provider,
    ...defined({ answeredBefore }),
  };
  const signs: ErrorSigns = { ...signsOf(error, asked), ...(answeredBefore ? { answeredBefore } : {}) };
  const { type, retryable } = rowFor(signs);
  const wait =
    retryable && error instanceof ModelServerError && error.headers !== undefined
      ? retryAfter(error.headers, now)
      : undefined;
  const later = wait === undefined ? '' : `; it asks to wait ${Math.ceil(wait / 1000)} s`;
  const problem = `${shownMessage(`${signs.message}${leadsTo(error)}`, config)}${later}`;
  const data = dataOf(type, config, problem, signs);
  return ApplicationFailure.create({
    type,
    message: new HoldfastError(type, data).message,
    details: partial === undefined ? [data] : [data, partial],
    nonRetryable: !retryable,
    ...defined({ nextRetryDelay: wait }),
  });
}

/**
 * The failure of a call that is not made, since the server did not answer others.
 * @param how.wait milliseconds until it is worth a try
 * @param how.answered the server could be reached
 */
export function unavailable(
  config: ModelConfig,
  problem: string,
  { wait, answered }: { wait: number; answered?: true },
): ApplicationFailure {
  const data = { ...askedOf(config), problem, ...(answered ? { answered } : {}) };
  return ApplicationFailure.create({
    type: 'ModelUnavailable',
    message: new HoldfastError('ModelUnavailable', data).message,
    details: [data],
    nextRetryDelay: wait,
  });
}

/** The model of a failure, and what speaks with it. A function is at no address: its errors say so. */
export function askedOf(config: ModelConfig): { model: string; address: string; adapter?: string } {
  const { kind, provider: address } = adapterFor(config);
  return { model: config.model, address, ...(kind === 'function' ? { adapter: kind } : {}) };
}

/** The same failure, to be retried after `wait` milliseconds at the earliest. */
export function retriedAfter(
  { type, message, details, nextRetryDelay }: ApplicationFailure,
  wait: number,
): ApplicationFailure {
  const asked = typeof nextRetryDelay === 'number' ? nextRetryDelay : 0;
  return ApplicationFailure.create({
    message,
    nextRetryDelay: Math.max(asked, wait),
    ...defined({ type: type ?? undefined, details: details ?? undefined }),
  });
}

function dataOf(
  type: ModelErrorType,
  config: ModelConfig,
  problem: string,
  { connection, fault, status = 0 }: Pick<ErrorSigns, 'connection' | 'fault' | 'status'>,
): ErrorData[ModelErrorType] {
  const { model } = config;
  if (type === 'Refused' || type === 'ModelContextTooLong') return { model, problem };
  const { kind, provider: address } = adapterFor(config);
  const isOurs = kind === 'chat' || kind === 'responses';
  const redirects = type === 'ModelRequestInvalid' && isRedirect(status);
  const isAnswered = type === 'ModelUnavailable' && !connection && fault !== 'idle';
  return {
    ...{ model, address, problem },
    ...(isOurs || !(redirects || kind === 'function' || NAMES_ADAPTER.has(type)) ? {} : { adapter: kind }),
    ...(redirects ? { redirects } : {}),
    ...(isAnswered ? { answered: true } : {}),
    ...(type === 'ModelUnauthorized' && isKeyless(config) ? { keyless: true } : {}),
  };
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** Where a redirect leads, which is not followed. */
function leadsTo(error: unknown): string {
  if (!(error instanceof ModelServerError) || !isRedirect(error.status ?? 0)) return '';
  const location = error.headers?.get('location') ?? '';
  return location === '' ? '' : `; it leads to ${location}`;
}

/** Keys may also be in headers and in the address. */
function isKeyless(config: ModelConfig): boolean {
  if (isAdapted(config)) return false;
  const { headers = {}, extraHeaders = {} } = config;
  const inAddress = (adapterFor(config).secrets?.() ?? []).some((secret) => secret !== '');
  return !inAddress && Object.keys({ ...headers, ...extraHeaders }).length === 0;
}

/** A provider's own message as it may be kept: without keys, and not too long. */
export function shownMessage(text: string, config: ModelConfig): string {
  const secrets = [...(adapterFor(config).secrets?.() ?? []), ...settingsSecrets(config)];
  const words = hideSecrets(wordsOf(text), secrets).replace(/\s+/g, ' ').trim();
  // The client writes the status before a text that may begin with it.
  return words.replace(/^(\d{3}) (?=\1\b)/, '').slice(0, MAX_PROBLEM);
}

/** What a page says, such as that of a proxy whose server is down. */
function wordsOf(text: string): string {
  const page = text.slice(0, MAX_PAGE);
  const [html] = /<(!doctype|html)\b/i.exec(page) ?? [];
  if (html === undefined) return text;
  const before = page.slice(0, page.indexOf(html)).trim();
  const title = /<title[^>]*>([^<]*)/i.exec(page)?.[1]?.trim();
  const words =
    title ||
    page
      .replace(/<(style|script)\b.*?<\/\1>/gis, ' ')
      .replace(/<[^<>]*>/g, ' ')
      .trim();
  return words.startsWith(before) ? words : `${before} ${words}`;
}
