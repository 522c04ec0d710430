import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  type FetchLike,
  type OAuthProtectedResourceMetadata,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import type { McpAuth } from '../../../../agent/define/mcp-server';
import { defined } from '../../../../agent/values/defined';
import { ServerFailure } from '../../server-failure';
import { oneLine } from '../sdk-errors';
import { authFetch } from './auth-fetch';
import { OWN_TOKEN, unusable } from './auth-problem';

/** Who gives tokens for a server. */
export interface Issuer {
  issuer: string;
  /** Missing: it publishes none, as servers from before RFC 8414. Its endpoint is then `/token` of its origin. */
  metadata: AuthorizationServerMetadata | undefined;
  /** What the tokens are for. */
  resource: URL | undefined;
}

/**
 * The authorization server of a server over HTTP, by the metadata that both publish.
 * @param metadataUrl where the server says that its metadata are
 * @throws ServerFailure also if the server names one that the definition does not: the client's secret would go there
 */
export async function findIssuer(url: string, auth: McpAuth, metadataUrl: URL | undefined): Promise<Issuer> {
  const described = await resourceMetadata(url, metadataUrl);
  const issuer = chosen(url, auth, described?.authorization_servers ?? []);
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: authFetch }).catch((error) => {
    throw unusable(error, issuer);
  });
  const grants = metadata?.grant_types_supported;
  if (grants !== undefined && !grants.includes('client_credentials')) {
    throw new ServerFailure(`its authorization server ${issuer} gives tokens only to people who log in`, {
      advice: `${OWN_TOKEN}: a worker runs without a person`,
    });
  }
  return { issuer, metadata, resource: resourceOf(url, described) };
}

/** What the server says of itself, if it does. @throws ServerFailure if it says where, and cannot be read there */
async function resourceMetadata(
  url: string,
  metadataUrl: URL | undefined,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  let status: number | undefined;
  const noted: FetchLike = async (...asked) => {
    const response = await authFetch(...asked);
    status = response.status;
    return response;
  };
  try {
    return await discoverOAuthProtectedResourceMetadata(url, defined({ resourceMetadataUrl: metadataUrl }), noted);
  } catch (cause) {
    const isAbsent = status !== undefined && status >= 400 && status < 500;
    // Servers from before these metadata are their own authorization servers.
    if (metadataUrl === undefined || isAbsent) return undefined;
    throw new ServerFailure(`its metadata at ${metadataUrl} cannot be read: ${oneLine(cause)}`, {
      cause,
      advice: 'see its own log for the reason',
    });
  }
}

/** @param named by the server: anyone who has got hold of it could name a server of their own */
function chosen(url: string, auth: McpAuth, named: readonly string[]): string {
  if (auth.issuer !== undefined) {
    if (named.length === 0 || named.some((one) => withoutSlash(one) === withoutSlash(auth.issuer as string))) {
      return named.find((one) => withoutSlash(one) === withoutSlash(auth.issuer as string)) ?? auth.issuer;
    }
    throw new ServerFailure(`its authorization server is ${named.join(' or ')}, not ${auth.issuer}`, {
      advice: 'correct `auth.issuer`, if that is the right one',
    });
  }
  const { origin } = new URL(url);
  const own = named.find((one) => URL.canParse(one) && new URL(one).origin === origin);
  if (own !== undefined || named.length === 0) return own ?? `${origin}/`;
  throw new ServerFailure(`it names the authorization server ${named.join(' or ')}, which is at another address`, {
    advice: `write \`issuer: ${named[0]}\` under \`auth\`, if the client's secret belongs there`,
  });
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}

function resourceOf(url: string, described: OAuthProtectedResourceMetadata | undefined): URL | undefined {
  if (described === undefined) return undefined;
  const { resource } = described;
  if (checkResourceAllowed({ requestedResource: resourceUrlFromServerUrl(url), configuredResource: resource })) {
    return new URL(resource);
  }
  throw new ServerFailure(`its metadata are those of ${resource}`, {
    advice: 'correct its `url`, which must be that of its MCP endpoint',
  });
}
