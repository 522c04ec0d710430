import { messageOf } from '../../../agent/errors/error';
import type { GatewayJwt } from '../../../runtime/config/gateway';
import { isUserName, LOCAL_TENANT, type Principal, SCOPES, type Scope, TENANT } from './principal';

// An ES module, which Node loads by `require` as well.
const { createRemoteJWKSet, jwtVerify } = require('jose') as Jose;
type Jose = typeof import('jose', { with: { 'resolution-mode': 'import' }});
type JWTPayload = import('jose', { with: { 'resolution-mode': 'import' }}).JWTPayload;

/** What a token is refused with. The text goes to the log, never to the caller. */
export class Refused extends Error {}
/** The keys of the issuer cannot be fetched. */
export class IssuerAway extends Error {}

/**
 * Signatures that are accepted by default. Those with a shared secret, and `none`, are not: a set of keys is public.
 */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** Seconds that the issuer's clock may be off. */
const CLOCK = 30;

/** Checks tokens by the keys that their issuer publishes, and reads who they are for. */
export function jwtReader({ jwks, issuer, audience, claims }: GatewayJwt): (token: string) => Promise<Principal> {
  // Fetched when a token names an unknown key, and then at most every 30 s.
  const keys = createRemoteJWKSet(new URL(jwks), { timeoutDuration: 5000 });
  return async (token) => {
    let payload: JWTPayload;
    try {
      ({ payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK,
        requiredClaims: ['exp', 'sub'],
      }));
    } catch (error) {
      throw isAway(error) ? new IssuerAway(messageOf(error)) : new Refused(messageOf(error));
    }
    return principalOf(payload, claims);
  };
}

function principalOf(payload: JWTPayload, claims: GatewayJwt['claims']): Principal {
  const tenant = payload[claims.tenant];
  const user = payload[claims.user];
  if (typeof tenant !== 'string' || !TENANT.test(tenant)) throw new Refused(`its \`${claims.tenant}\` is no tenant`);
  // Runs of the person at this machine are not for the issuer to give away.
  if (tenant === LOCAL_TENANT) throw new Refused(`its \`${claims.tenant}\` is that of this machine`);
  if (!isUserName(user)) throw new Refused(`its \`${claims.user}\` is no name of a user`);
  const scopes = listOf(payload[claims.scopes]).filter(isScope);
  return {
    user,
    tenant,
    scopes: new Set(scopes),
    roles: listOf(payload[claims.roles]).slice(0, MAX_ROLES),
    credential: `jwt:${tenant}:${user}`,
  };
}

const MAX_ROLES = 100;

/** A list, or a text with spaces as in OAuth. */
function listOf(claim: unknown): string[] {
  if (typeof claim === 'string') return claim.split(' ').filter((one) => one !== '');
  return Array.isArray(claim) ? claim.filter((one) => typeof one === 'string' && one !== '' && one.length <= 200) : [];
}

/** Other scopes of the token are for other services. */
function isScope(scope: string): scope is Scope {
  return (SCOPES as readonly string[]).includes(scope);
}

/** It does not answer, answers with an error or no JSON, or with JSON other than a set of keys. */
const AWAY: ReadonlySet<unknown> = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID']);

function isAway(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown };
  return AWAY.has(code) || error instanceof TypeError;
}
