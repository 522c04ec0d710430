import { ApplicationFailure } from '@temporalio/common';
import { APIError } from 'openai';
import type { ModelCallRemains } from '../../agent/activities';
import { type ErrorData, HoldfastError } from '../../agent/error';
import type { ModelConfig } from '../../agent/model-config';
import { retryAfter } from '../retry-after';
import { type ModelErrorType, rowFor, signsOf } from './error-table';

/** Milliseconds that one model call may take, retries included; a server that asks for a longer wait ends it. */
const CALL_BUDGET = 600_000;

/** Characters of a provider's own message that are kept. */
const MAX_PROBLEM = 500;

/**
 * The failure of the activity for whatever went wrong in a model call. Its type is stable, its details are the data of
 * the error and what had arrived. The cause is left out on purpose: it could hold the key.
 * @param now milliseconds since 1970, for a Retry-After that is a date
 */
export function mapModelError(
  error: unknown,
  config: ModelConfig,
  remains?: ModelCallRemains,
  now: number = Date.now(),
): ApplicationFailure {
  const signs = signsOf(error);
  const { type, retryable } = rowFor(signs);
  const wait = retryable && error instanceof APIError ? retryAfter(error.headers, now) : undefined;
  const tooLong = wait !== undefined && wait > CALL_BUDGET;
  const problem = redacted(signs.message, config).slice(0, MAX_PROBLEM);
  const asked = `it asks to wait ${Math.ceil((wait ?? 0) / 1000)} s, more than the ${CALL_BUDGET / 1000} s of a model call`;
  const data = dataOf(type, config, tooLong ? `${problem}; ${asked}` : problem);
  return ApplicationFailure.create({
    type,
    message: new HoldfastError(type, data).message,
    details: remains === undefined ? [data] : [data, remains],
    nonRetryable: !retryable || tooLong,
    ...(wait === undefined || tooLong ? {} : { nextRetryDelay: wait }),
  });
}

function dataOf(type: ModelErrorType, config: ModelConfig, problem: string): ErrorData[ModelErrorType] {
  const { model } = config;
  if (type === 'Refused' || type === 'ModelContextTooLong') return { model, problem };
  return { model, address: addressOf(config.baseUrl), problem };
}

/** A base URL without what may be secret in it. */
export function addressOf(baseUrl: string): string {
  try {
    const url = new URL(baseUrl);
    return `${url.origin}${url.pathname}`.replace(/\/$/, '');
  } catch {
    return baseUrl;
  }
}

function secretsOfUrl(baseUrl: string): string[] {
  if (!URL.canParse(baseUrl)) return [];
  const { username, password, search, searchParams } = new URL(baseUrl);
  const raw = search.slice(1).split('&');
  return [username, password, ...searchParams.values(), ...raw.map((pair) => pair.slice(pair.indexOf('=') + 1))];
}

/** Servers repeat keys in their messages, and some proxies whole headers or addresses. */
function redacted(text: string, { apiKey, headers, baseUrl }: ModelConfig): string {
  const given = [apiKey ?? '', ...Object.values(headers ?? {})];
  const secrets = [...given.flatMap((value) => [value, value.replace(/^\S+\s+/, '')]), ...secretsOfUrl(baseUrl)];
  let out = text;
  // Short values are words like `true`, not secrets; replacing them would garble the message.
  for (const secret of secrets) if (secret.length >= 8) out = out.replaceAll(secret, '…');
  return out.replace(/\b(sk|pk|key)-[\w*.-]{6,}/gi, '…').replace(/\s+/g, ' ');
}
