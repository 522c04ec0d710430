import {
  extractWWWAuthenticateParams,
  InsufficientScopeError,
  IssuerMismatchError,
  OAuthError,
} from '@modelcontextprotocol/client';
import type { McpAuth } from '../../../../agent/define/mcp-server';
import { ServerFailure } from '../../server-failure';
import { httpProblem } from '../http-problem';
import type { Explained } from '../link';
import { oneLine } from '../sdk-errors';

/** What to do where only a person can get a token. */
export const OWN_TOKEN = 'get a token for it, and send that in `headers` instead of `auth`';

/** What a worker asked an authorization server for. */
interface Asked {
  issuer: string;
  auth: McpAuth;
  scope: string | undefined;
  /** It publishes metadata, which name its endpoint. */
  described: boolean;
}

/** Why an authorization server gave no token, and what to do. */
export function tokenFailure(error: unknown, { issuer, auth: { clientId }, scope, described }: Asked): ServerFailure {
  const fail = (what: string, advice: string) =>
    new ServerFailure(`its authorization server ${issuer} ${what}`, { cause: error, advice });
  if (!(error instanceof OAuthError)) return unusable(error, issuer);
  const [, status] = NOT_OAUTH.exec(error.message) ?? [];
  if (status === '404' && !described) {
    const advice = `correct \`auth.issuer\`, or ${OWN_TOKEN}`;
    return fail('publishes no metadata, and has no `/token`', advice);
  }
  if (status !== undefined) return fail(`gave no token (HTTP ${status})`, 'see its own log for the reason');
  const said = `(${[...new Set([error.code, oneLine(error)])].filter((text) => text !== '').join(': ')})`;
  switch (error.code) {
    case 'invalid_client':
      return fail(`refused the client \`${clientId}\` ${said}`, 'correct `auth.clientId` and `auth.clientSecret`');
    case 'invalid_scope':
      return fail(
        `did not give the scopes \`${scope ?? ''}\` ${said}`,
        `correct \`auth.scopes\`, or allow them for the client \`${clientId}\` there`,
      );
    case 'unauthorized_client':
    case 'unsupported_grant_type':
      return fail(
        `gives the client \`${clientId}\` no token without a person ${said}`,
        `allow the grant \`client_credentials\` for it there, or ${OWN_TOKEN}`,
      );
    default:
      return fail(`gave no token ${said}`, 'see its own log for the reason');
  }
}

/** How the SDK begins an error whose body is not one of OAuth: it goes on with that body. */
const NOT_OAUTH = /^HTTP (\d{3}): Invalid OAuth error response/;

/** What is wrong with the metadata or the token of an authorization server. */
export function unusable(error: unknown, issuer: string): ServerFailure {
  const fail = (what: string, advice: string) =>
    new ServerFailure(`its authorization server ${issuer} ${what}`, { cause: error, advice });
  if (error instanceof IssuerMismatchError) {
    return fail(`calls itself ${error.received}`, 'set `auth.issuer` to that, if it is the right one');
  }
  const { name } = (error ?? {}) as { name?: unknown };
  if (name === 'ZodError' || name === 'SyntaxError') {
    return fail('answers with something else than OAuth prescribes', 'correct `auth.issuer`, or see its own log');
  }
  if (name === 'TimeoutError') return fail('does not answer', 'start it, or check the network');
  const isNetwork = name === 'TypeError';
  const { problem } = isNetwork ? httpProblem(error, { url: issuer, session: false }) : { problem: oneLine(error) };
  return isNetwork
    ? fail(`cannot be reached: ${problem}`, 'start it, check the network, or correct `auth.issuer`')
    : fail(`cannot be used: ${problem}`, 'correct `auth.issuer`, or see its own log for the reason');
}

/** Whether a response with HTTP 401 is one of a server that wants a token of OAuth. */
export function wantsToken(response: Response): boolean {
  return extractWWWAuthenticateParams(response).resourceMetadataUrl !== undefined;
}

/** What an error says of the credentials of a worker; `undefined` if that is not what is wrong. */
export function authProblem(error: unknown, auth: McpAuth | undefined): Explained | undefined {
  const cause = causeOf(error);
  if (cause instanceof ServerFailure) return { problem: cause.problem, advice: cause.advice, fate: 'unsent' };
  if (cause === undefined) return undefined;
  const wanted = cause.requiredScope === undefined ? 'another scope' : `the scope \`${cause.requiredScope}\``;
  const advice =
    auth === undefined
      ? 'send a token that has it in `headers`'
      : `add it to \`auth.scopes\`, and allow it for the client \`${auth.clientId}\` at its authorization server`;
  return { problem: `HTTP 403: it wants ${wanted}, which the token does not have`, advice, fate: 'unsent' };
}

/** The SDK wraps what a provider of tokens throws. */
function causeOf(error: unknown): ServerFailure | InsufficientScopeError | undefined {
  for (let [cause, depth] = [error, 0]; depth < 6; depth++) {
    if (cause instanceof ServerFailure || cause instanceof InsufficientScopeError) return cause;
    cause = (cause as { cause?: unknown } | null | undefined)?.cause;
  }
  return undefined;
}
