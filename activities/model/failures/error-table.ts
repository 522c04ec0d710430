import type { ErrorType } from '../../../agent/errors/error';
import { defined } from '../../../agent/values/defined';
import { tlsMismatch } from '../../failures/tls-mismatch';
import { AnswerFault, type FaultKind } from './answer-fault';
import { ModelServerError } from './server-error';

/** What an error says about itself, wherever it was thrown. */
export interface ErrorSigns {
  /** HTTP status; an error inside a stream may carry it as its code. */
  status?: number;
  /** The provider's `code` and `type`, and the field that it names, joined. */
  code: string;
  message: string;
  fault?: FaultKind;
  /** No answer at all: refused, reset, timed out. */
  connection?: true;
  /** An earlier call of the run was answered. */
  answeredBefore?: true;
}

/** The errors that a model call can end with. */
export type ModelErrorType = Extract<ErrorType, `Model${string}` | 'Refused'>;

export interface ErrorRow {
  /** All given fields have to match. */
  when: {
    fault?: FaultKind;
    /** One status, or the first and the last of a range. */
    status?: number | readonly [number, number];
    notStatus?: number;
    code?: RegExp;
    message?: RegExp;
    answeredBefore?: true;
  };
  type: ModelErrorType;
  retryable: boolean;
}

const stop = (type: ModelErrorType, when: ErrorRow['when']): ErrorRow => ({ when, type, retryable: false });
const retry = (type: ModelErrorType, when: ErrorRow['when']): ErrorRow => ({ when, type, retryable: true });

/**
 * The wordings of OpenAI, Azure, vLLM, SGLang, llama-server, Ollama, LM Studio, Anthropic, Gemini, Mistral, xAI, Bedrock, TGI,
 * Moonshot, DashScope, Zhipu, GitHub Copilot and Cohere.
 */
const TOO_LONG = new RegExp(
  [
    'maximum context length',
    'context (window|size|length)[^.]{0,40}(exceed|too (small|long)|limit)',
    'exceeds?[^.]{0,60}context (window|size|length|limit)',
    '(greater|longer) than the (context|model.s context|maximum model) length',
    '(prompt|input) is too long|prompt exceeds max length',
    'maximum prompt length|input token count|prompt token count of [0-9]+ exceeds',
    'reduce the length of (the|your) (messages|prompt)',
    'inputs` (tokens \\+ `max_new_tokens|must have less than)',
    'max_tokens must be at least 1, got -',
    'exceeded model token limit|range of input length should be|too many tokens: total number of tokens in the prompt',
  ].join('|'),
  'i',
);

/**
 * The first row that matches counts; an error that matches none is retried, since it is most likely a broken
 * connection.
 */
export const ERROR_TABLE: readonly ErrorRow[] = [
  stop('Refused', { fault: 'refused' }),
  // An address that was right a moment ago: a proxy answers in place of the server behind it.
  retry('ModelUnavailable', { fault: 'foreign', answeredBefore: true }),
  stop('ModelAnswerUnreadable', { fault: 'foreign' }),
  stop('ModelAnswerUnreadable', { fault: 'unreadable' }),
  stop('ModelAnswerTooLarge', { fault: 'large' }),
  stop('ModelAnswerTooSlow', { fault: 'slow' }),
  retry('ModelUnavailable', { fault: 'idle' }),
  retry('ModelUnavailable', { fault: 'unfinished' }),

  stop('ModelQuotaExceeded', {
    code: /insufficient_quota|billing_(hard_limit_reached|not_active)|insufficient_balance|exceeded_current_quota|Arrearage/,
  }),
  // Anthropic's status for them is 400, MiniMax's is 200.
  stop('ModelQuotaExceeded', {
    message: /credit balance is too low|reached your specified API usage limits|insufficient balance/i,
  }),
  stop('ModelQuotaExceeded', { status: 402 }),
  stop('ModelContextTooLong', { code: /context_length_exceeded|exceed_context_size|ContextWindowExceeded/ }),
  // A rate limit in tokens also asks to "reduce the length", but it is still a rate limit.
  stop('ModelContextTooLong', { message: TOO_LONG, notStatus: 429 }),
  stop('ModelContextTooLong', { status: 413 }),
  stop('Refused', { code: /content_filter|content_policy_violation|ResponsibleAIPolicyViolation/ }),

  stop('ModelUnauthorized', { status: [401, 403] }),
  stop('ModelUnauthorized', {
    code: /invalid_api_key|API_KEY_INVALID|authentication_error|permission_denied|permission_error/,
  }),
  stop('ModelNotFound', { status: 404 }),
  // The wordings of xAI and Gemini, with 400.
  stop('ModelUnauthorized', { message: /incorrect api key provided|api key not valid/i }),
  stop('ModelNotFound', { code: /model_not_found|\binvalid_model\b/ }),
  stop('ModelNotFound', { message: /is not a valid model ID/i }),
  // LM Studio, with 200: the path is wrong.
  stop('ModelAnswerUnreadable', { message: /^unexpected endpoint or method/i }),
  retry('ModelRateLimited', { status: 429 }),
  // Amazon's name of its error within a stream.
  retry('ModelRateLimited', { code: /rate_limit|throttlingException/ }),
  retry('ModelUnavailable', { status: 408 }),
  retry('ModelUnavailable', { status: 409 }),
  retry('ModelUnavailable', { status: 425 }),
  retry('ModelUnavailable', { status: [500, 599] }),
  // Groq: no capacity, and a call that the model wrote wrongly, which is no fault of the request.
  retry('ModelUnavailable', { status: 498 }),
  retry('ModelUnavailable', { code: /tool_use_failed/ }),
  // Redirects are not followed.
  stop('ModelRequestInvalid', { status: [300, 399] }),
  stop('ModelRequestInvalid', { status: [400, 499] }),
  stop('ModelRequestInvalid', { code: /invalid_request_error|invalid_prompt|image|validationException/ }),
];

const OTHERWISE: ErrorRow = retry('ModelUnavailable', {});

/** The row for an error. */
export function rowFor(signs: ErrorSigns): ErrorRow {
  return ERROR_TABLE.find(({ when }) => fits(when, signs)) ?? OTHERWISE;
}

/** Characters of a server's error message that are read: patterns go through all of them. */
const MAX_SAID = 10_000;

/** What is known of the server that was asked. */
interface Asked {
  address?: string;
  /** An earlier call of the run was answered. */
  answeredBefore?: boolean;
}

/** Reads the signs of any thrown value. */
export function signsOf(error: unknown, from: Asked = {}): ErrorSigns {
  const signs = fullSignsOf(error, from);
  return { ...signs, code: signs.code.slice(0, MAX_SAID), message: signs.message.slice(0, MAX_SAID) };
}

function fullSignsOf(error: unknown, from: Asked): ErrorSigns {
  if (error instanceof AnswerFault) return { code: '', message: error.message, fault: error.kind };
  if (!(error instanceof ModelServerError)) return { code: '', message: causeOf(error, from), connection: true };
  const { code, message } = error;
  return { ...defined({ status: error.status ?? statusIn(code.split(' ', 1)[0]) }), code, message };
}

function fits(when: ErrorRow['when'], { status, code, message, fault, answeredBefore }: ErrorSigns): boolean {
  if (when.fault !== undefined && when.fault !== fault) return false;
  if (when.answeredBefore && !answeredBefore) return false;
  if (when.status !== undefined) {
    const [first, last] = typeof when.status === 'number' ? [when.status, when.status] : when.status;
    if (status === undefined || status < first || status > last) return false;
  }
  if (when.notStatus !== undefined && when.notStatus === status) return false;
  if (when.code !== undefined && !when.code.test(code)) return false;
  return when.message === undefined || when.message.test(message);
}

/** Gateways that stream send the status as the code of an error inside the stream. */
function statusIn(code: string | undefined): number | undefined {
  const value = Number(code);
  return Number.isInteger(value) && value >= 400 && value <= 599 ? value : undefined;
}

/**
 * The innermost reason: "fetch failed" alone does not help. By shape, since Node's own errors may be of another realm.
 */
function causeOf(error: unknown, { address = '', answeredBefore = false }: Asked): string {
  let inner = error;
  for (let depth = 0; depth < 5 && isErrorLike(inner) && isErrorLike(inner.cause); depth++) inner = inner.cause;
  if (!isErrorLike(inner)) return String(inner);
  // An address at which an answer came is right.
  return tlsMismatch(inner, answeredBefore ? '' : address) ?? (inner.message || inner.code || inner.name);
}

function isErrorLike(value: unknown): value is NodeJS.ErrnoException {
  return typeof value === 'object' && value !== null && typeof (value as Error).message === 'string';
}
