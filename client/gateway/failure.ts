import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Log } from '../../agent/define/context';
import { type ErrorType, type HoldfastError, messageOf } from '../../agent/errors/error';
import type { JsonObject } from '../../agent/values/json';
import { IssuerAway } from './auth/jwt';
import type { RetryAfter } from './guard/retry-after';

/** The body of every answer that is not a success. */
export interface ErrorBody {
  error: { type: string; message: string; data?: JsonObject };
}

/** Why the server itself refuses a request. */
export class RequestRefused extends Error {
  constructor(
    readonly status: ContentfulStatusCode,
    readonly type: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** Statuses by type of error. Others are those of a run, whose command is in conflict with its state. */
const STATUS: { readonly [T in ErrorType]?: ContentfulStatusCode } = {
  RunNotFound: 404,
  ApprovalNotFound: 404,
  QuestionNotFound: 404,
  UnknownAgent: 404,
  InvalidAgentName: 400,
  InvalidInput: 400,
  InvalidMessage: 400,
  InvalidDecision: 400,
  InvalidEdit: 400,
  InvalidReply: 400,
  InvalidEvent: 400,
  UnknownModel: 400,
  UnknownVersion: 400,
  ModelUnpriced: 400,
  InvalidSignature: 401,
  NotADecider: 403,
  ApprovalExpired: 410,
  QuestionExpired: 410,
  MessageTooLarge: 413,
  RunFull: 503,
  NoServer: 503,
  NoWorker: 503,
  NamespaceNotFound: 503,
  StorageUnavailable: 503,
  RunsNotListed: 501,
  ServerRefused: 502,
  FactsMissing: 410,
};

/** What the Temporal server says where it has too much to do. */
const BUSY = 'RESOURCE_EXHAUSTED';

/** The answer to a request that failed. What is not expected goes to the log, and not to the caller. */
export function failureResponse(error: unknown, c: Context, log: Log, retryAfter: RetryAfter): Response {
  if (error instanceof RequestRefused) return answer(c, error.status, error, error.headers);
  if (error instanceof IssuerAway) {
    log.warn({ problem: error.message }, 'The keys of the token issuer cannot be fetched');
    const message = 'The keys of the token issuer cannot be fetched. Try again later.';
    return answer(c, 503, { type: 'IssuerUnavailable', message }, { 'retry-after': retryAfter.next() });
  }
  if (isHoldfastError(error)) {
    // Types also come from other processes.
    const known = (Object.hasOwn(STATUS, error.type) ? STATUS[error.type] : undefined) ?? 409;
    const data = error.data as unknown as JsonObject;
    const status = error.type === 'ServerRefused' && data.status === BUSY ? 503 : known;
    return answer(
      c,
      status,
      { type: error.type, message: error.message, data },
      status === 503 ? { 'retry-after': retryAfter.next() } : {},
    );
  }
  if (error instanceof HTTPException) {
    return answer(c, error.status, { type: 'InvalidRequest', message: error.message || 'The request is not valid.' });
  }
  log.error({ problem: messageOf(error), path: c.req.path }, 'A request failed');
  return answer(c, 500, { type: 'Internal', message: 'Something went wrong here. The log of the server says what.' });
}

/** Also one of another copy of the package. */
function isHoldfastError(error: unknown): error is HoldfastError {
  return error instanceof Error && error.name === 'HoldfastError';
}

function answer(
  c: Context,
  status: ContentfulStatusCode,
  { type, message, data }: { type: string; message: string; data?: JsonObject },
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body: ErrorBody = { error: { type, message, ...(data === undefined ? {} : { data }) } };
  return c.json(body, status, headers);
}
