import { createHash, timingSafeEqual } from 'node:crypto';
import type { Log } from '../../../agent/define/context';
import type { GatewayConfig } from '../../../runtime/config/gateway';
import { keyReader } from './api-keys';
import { IssuerAway, jwtReader, Refused } from './jwt';
import { LOCAL_TENANT, type Principal } from './principal';

/** Who makes a request; `undefined`: an unknown caller. */
export type Authenticate = (authorization: string | undefined) => Promise<Principal | undefined>;

/** Bytes of a token that are looked at. */
const MAX_TOKEN = 8192;

/**
 * Reads the `Authorization` header. Which kind of token it holds, its own form says.
 * @param localToken also accepted: the token that was printed for the person at this machine
 * @throws IssuerAway
 */
export function authenticator(
  { keys, jwt }: Pick<GatewayConfig, 'keys' | 'jwt'>,
  { localToken, user, log }: { localToken?: string | undefined; user: string; log: Log },
): Authenticate {
  const byKey = keyReader(keys);
  const byJwt = jwt === undefined ? undefined : jwtReader(jwt);
  return async (authorization) => {
    const token = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
    if (token === undefined || token.length > MAX_TOKEN) return undefined;
    if (localToken !== undefined && isSame(token, localToken)) return localPrincipal(user);
    const known = byKey(token);
    if (known !== undefined || byJwt === undefined || token.split('.').length !== 3) return known;
    try {
      return await byJwt(token);
    } catch (error) {
      if (error instanceof IssuerAway) throw error;
      if (!(error instanceof Refused)) throw error;
      log.info({ problem: error.message }, 'A token was refused');
      return undefined;
    }
  };
}

/** The person at this machine. Without a tenant it sees all runs, as with the command line. */
function localPrincipal(user: string): Principal {
  return { user, scopes: new Set(['admin']), roles: [], credential: LOCAL_TENANT };
}

/** Compares hashes, so that the time it takes says nothing about the token. */
function isSame(given: string, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}
