import {
  type AuthProvider,
  ClientCredentialsProvider,
  extractWWWAuthenticateParams,
  fetchToken,
} from '@modelcontextprotocol/client';
import type { McpAuth, McpHttpServer } from '../../../../agent/define/mcp-server';
import { canonicalJson } from '../../../../agent/values/json';
import { clientSecretOf } from '../../secrets';
import { noteToken } from '../../tokens';
import { authFetch } from './auth-fetch';
import { tokenFailure } from './auth-problem';
import { findIssuer } from './find-issuer';

/** A token is replaced this part of its life, and at most so many milliseconds, before its end. */
const MARGIN = { part: 0.1, most: 30_000 };

interface Token {
  value: string;
  /** Milliseconds since 1970: when it is replaced, and when it ends. */
  renew: number;
  end: number;
}

type Authorized = McpHttpServer & { auth: McpAuth };

const known = new Map<string, ClientCredentials>();

/** The credentials of a server, one for all its connections in this process. @throws ServerFailure without its secret */
export function credentialsFor(definition: McpHttpServer): ClientCredentials | undefined {
  if (definition.auth === undefined) return undefined;
  const key = canonicalJson(definition);
  const before = known.get(key);
  if (before !== undefined) return before;
  const credentials = new ClientCredentials(definition as Authorized);
  known.set(key, credentials);
  return credentials;
}

/**
 * Gets tokens with the grant `client_credentials`, which needs no person. The first one is fetched when the server asks
 * for it, which also says where its metadata are; further ones when the last one ends, or is refused.
 */
export class ClientCredentials implements AuthProvider {
  readonly #definition: Authorized;
  readonly #secret: string;
  #token: Token | undefined;
  #next: Promise<void> | undefined;
  /** Scopes that calls have needed beyond those that the server asked for at first. */
  readonly #added = new Set<string>();
  #asked: { metadataUrl?: URL | undefined; scope?: string | undefined } = {};
  /** What was sent with the requests of refused responses. */
  readonly #sent = new WeakMap<Response, string | null>();

  constructor(definition: Authorized) {
    this.#definition = definition;
    this.#secret = clientSecretOf(definition.auth);
  }

  async token(): Promise<string | undefined> {
    const token = this.#token;
    if (token === undefined || Date.now() < token.renew) return token?.value;
    await this.#renew().catch((error) => {
      // It may be given again before the old one has ended.
      if (Date.now() >= token.end) throw error;
    });
    return this.#token?.value;
  }

  /** Notes with which `Authorization` a response came. */
  sent(response: Response, authorization: string | null): void {
    if (response.status === 401) this.#sent.set(response, authorization);
  }

  async onUnauthorized({ response }: { response: Response }): Promise<void> {
    const sent = this.#sent.get(response);
    // Another call has replaced the token since.
    if (sent !== undefined && this.#token !== undefined && sent !== `Bearer ${this.#token.value}`) return;
    await this.obtain(response);
  }

  /** Gets a new token for a server that answered with HTTP 401. @throws ServerFailure */
  async obtain(response: Response): Promise<void> {
    const { resourceMetadataUrl: metadataUrl, scope } = extractWWWAuthenticateParams(response);
    this.#asked = { metadataUrl, scope };
    await this.#renew();
  }

  /**
   * Gets a token with the scope that a call needs and its token lacks (HTTP 403), if the definition leaves the scopes to the
   * server.
   * @param sent the `Authorization` of the call
   * @returns whether the call may be made again; not if its token has the scope already
   * @throws ServerFailure if the authorization server does not give it
   */
  async widen(response: Response, sent: string | null): Promise<boolean> {
    const { error, scope = '' } = extractWWWAuthenticateParams(response);
    if (error !== 'insufficient_scope' || this.#definition.auth.scopes !== undefined) return false;
    // Another call has replaced the token since.
    if (this.#token !== undefined && sent !== `Bearer ${this.#token.value}`) return true;
    const missing = scope.split(' ').filter((one) => one !== '' && !this.#added.has(one));
    // Another call may be getting it now.
    if (missing.length === 0) return (await this.#next?.then(() => sent !== `Bearer ${this.#token?.value}`)) === true;
    for (const one of missing) this.#added.add(one);
    try {
      await this.#renew();
    } catch (problem) {
      // Tokens without it are still given.
      for (const one of missing) this.#added.delete(one);
      throw problem;
    }
    return true;
  }

  /** Calls that need one at the same time share it. */
  #renew(): Promise<void> {
    this.#next ??= this.#fetch().finally(() => {
      this.#next = undefined;
    });
    return this.#next;
  }

  async #fetch(): Promise<void> {
    const { url, auth } = this.#definition;
    const { metadataUrl, scope: wanted } = this.#asked;
    const { issuer, metadata, resource } = await findIssuer(url, auth, metadataUrl);
    const scopes = auth.scopes ?? [...(wanted?.split(' ') ?? []), ...this.#added];
    const scope = [...new Set(scopes)].join(' ');
    const client = { clientId: auth.clientId, clientSecret: this.#secret, expectedIssuer: metadata?.issuer ?? issuer };
    const options = {
      ...(metadata && { metadata }),
      fetchFn: authFetch,
      ...(resource && { resource }),
      ...(scope && { scope }),
    };
    const tokens = await fetchToken(new ClientCredentialsProvider(client), issuer, options).catch((error) => {
      throw tokenFailure(error, { issuer, auth, scope, described: metadata !== undefined });
    });
    const now = Date.now();
    const life = tokens.expires_in === undefined ? Number.POSITIVE_INFINITY : tokens.expires_in * 1000;
    const margin = Math.min(life * MARGIN.part, MARGIN.most);
    noteToken(this.#definition, tokens.access_token);
    this.#token = { value: tokens.access_token, renew: now + life - margin, end: now + life };
  }
}
