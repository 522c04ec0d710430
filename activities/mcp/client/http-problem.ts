import { ProtocolError, SdkErrorCode, SdkHttpError, SseError } from '@modelcontextprotocol/client';
import type { McpAuth } from '../../../agent/define/mcp-server';
import { tlsMismatch } from '../../failures/tls-mismatch';
import type { Explained } from './link';
import { codeOf, neverSent, oneLine } from './sdk-errors';
import { TooLarge } from './traffic/message-size';

/** Node's codes for a host that cannot be reached: nothing was sent. */
const UNREACHED: { [code: string]: [problem: string, advice?: string] } = {
  ECONNREFUSED: ['nothing listens there', 'start the server, or correct its `url`'],
  ENOTFOUND: ['there is no such host', 'correct its `url`'],
  EAI_AGAIN: ['its host name could not be looked up', 'check the network'],
  EHOSTUNREACH: ['its host cannot be reached', 'check the network'],
  ENETUNREACH: ['its host cannot be reached', 'check the network'],
  ETIMEDOUT: ['its host does not answer', 'check the network'],
  UND_ERR_CONNECT_TIMEOUT: ['its host does not answer', 'check the network'],
};
const TLS = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|EPROTO$)/;

function tlsAdvice(code: string): string {
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return 'renew the certificate of the server';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'correct its `url`: the certificate is that of another host';
  if (/^(EPROTO|ERR_SSL)/.test(code))
    return 'correct its `url`: it answers without TLS that Node supports, and may expect `http:`';
  return 'correct its `url`, or name the file of the authority in the variable NODE_EXTRA_CA_CERTS where the worker runs';
}

/** The server that was asked. */
interface Asked {
  url: string;
  /** A session was open when it happened. */
  session: boolean;
  /** How the worker gets tokens for it. */
  auth?: McpAuth | undefined;
  /** It said that it wants a token of OAuth. */
  wantsToken?: boolean;
}

/** What is wrong with a server reached over HTTP. */
export function httpProblem(error: unknown, asked: Asked): Explained {
  const { url, session } = asked;
  if (error instanceof ProtocolError && isCut(error.data)) {
    return { problem: error.message, fate: 'lost', lasting: error.data === CUT_LARGE };
  }
  if (error instanceof TooLarge) return { problem: error.message, fate: 'unreadable', lasting: true };
  const status = statusOf(error);
  if (status !== undefined) return statusProblem(status, error, asked);
  if (neverSent(error)) return { problem: 'the connection has ended', fate: 'unsent', stale: true };
  const code = causeCode(error);
  const unreached = code === undefined ? undefined : UNREACHED[code];
  if (unreached !== undefined)
    return { problem: `${unreached[0]} (${code})`, advice: unreached[1], fate: 'unsent', stale: true };
  if (code !== undefined && TLS.test(code)) {
    return { problem: `a secure connection is not possible (${code})`, advice: tlsAdvice(code), fate: 'unsent' };
  }
  const mismatch = session ? undefined : tlsMismatch(innermost(error), url);
  if (mismatch !== undefined)
    return { problem: mismatch, advice: 'correct its `url`, or start it again', fate: 'lost' };
  if (code !== undefined) return { problem: `the connection broke (${code})`, fate: 'lost' };
  const type = contentTypeOf(error);
  if (type !== undefined) {
    const problem = `it answers with ${type}, which is not MCP`;
    return { problem, advice: 'correct its `url`, which must be that of its MCP endpoint', fate: 'unreadable' };
  }
  const cut = codeOf(error) === SdkErrorCode.ConnectionClosed || /^(fetch failed|terminated)$/.test(oneLine(error));
  return cut ? { problem: 'the connection was cut', fate: 'lost' } : { problem: oneLine(error), fate: 'unreadable' };
}

/** Marks the error that ends a request whose answer can no longer arrive. */
export const CUT = { cut: true } as const;
/** The same, where it was cut because the answer is too large. */
export const CUT_LARGE = { cut: true, tooLarge: true } as const;

export function isCut(data: unknown): boolean {
  return data === CUT || data === CUT_LARGE;
}

export function statusOf(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status;
  if (error instanceof SseError) return error.code;
  // The SSE transport reports the status of a POST only in the error text.
  const match = /\(HTTP (\d{3})\)/.exec(oneLine(error));
  return match === null ? undefined : Number(match[1]);
}

function statusProblem(status: number, error: unknown, asked: Asked): Explained {
  const { session } = asked;
  const problem = `HTTP ${status}${bodyOf(error)}`;
  // Some servers answer 400 for an unknown session.
  if (session && (status === 404 || (status === 400 && /session/i.test(problem)))) {
    return { problem: `it no longer knows the session (${problem})`, fate: 'expired', stale: true };
  }
  // An older or newer server has taken its place, and did not process the request.
  if (status === 400 && /protocol[ -]version/i.test(problem)) return { problem, fate: 'expired', stale: true };
  if (status === 401) return unauthorized(problem, asked);
  if (status === 403) return { problem, advice: 'it denies access with these `headers`', fate: 'unsent' };
  if (status === 404 || status === 405) {
    return { problem, advice: 'correct its `url`, which must be that of its MCP endpoint', fate: 'unsent' };
  }
  if (status < 400) return { problem: oneLine(error), advice: 'correct its `url`', fate: 'unsent' };
  if (status < 500) return { problem, fate: 'unsent' };
  return { problem, advice: 'see its own log for the reason', fate: 'unreadable' };
}

function unauthorized(problem: string, { auth, wantsToken }: Asked): Explained {
  if (auth !== undefined) {
    const advice = `allow the client \`${auth.clientId}\` to use this server, at its authorization server`;
    return { problem: `${problem}, also with a new token`, advice, fate: 'unsent' };
  }
  const advice =
    wantsToken === true
      ? 'it wants a token of OAuth: set `auth` with a client of its authorization server, or, if only people can log in there, send a token in `headers`'
      : 'it wants credentials; check `headers`';
  return { problem, advice, fate: 'unsent' };
}

/** What the server said beside the status, unless it is an HTML page. */
function bodyOf(error: unknown): string {
  const body = error instanceof SdkHttpError ? String((error.data as { text?: unknown }).text ?? '') : '';
  if (body === '' || body.trimStart().startsWith('<')) return '';
  const said = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body)?.[1] ?? body;
  return `: ${oneLine(said)}`;
}

/** The code of the error that Node's fetch wraps twice. */
function causeCode(error: unknown): string | undefined {
  let cause = error as { code?: unknown; cause?: unknown } | null | undefined;
  for (let depth = 0; typeof cause === 'object' && cause !== null && depth < 6; depth++) {
    if (codeOf(cause) === undefined && typeof cause.code === 'string') return cause.code;
    cause = cause.cause as typeof cause;
  }
  // The event source passes on only the text.
  return /\b(E[A-Z]{4,}|CERT_[A-Z_]+|UND_ERR_[A-Z_]+)\b/.exec(oneLine(error))?.[1];
}

function innermost(error: unknown): Error {
  let inner = error;
  for (let depth = 0; depth < 6 && inner instanceof Error && inner.cause instanceof Error; depth++) inner = inner.cause;
  return inner instanceof Error ? inner : new Error(oneLine(inner));
}

function contentTypeOf(error: unknown): string | undefined {
  const type = /content[ -]type:? "?([\w.+-]+\/[\w.+-]+|null)/i.exec(oneLine(error))?.[1];
  return type === 'null' ? 'no content type' : type;
}
