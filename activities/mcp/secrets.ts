import { isHttpServer, type McpAuth, type McpHttpServer, type McpServer } from '../../agent/define/mcp-server';
import { hideSecrets } from '../../runtime/secrets/redact';
import {
  argumentSecrets,
  credentialsOf,
  environmentSecrets,
  headerSecrets,
  urlSecrets,
} from '../../runtime/secrets/secret-values';
import { resolveHeaders, resolveValue } from '../resolve-values';
import { ServerFailure } from './server-failure';
import { tokensOf } from './tokens';

/**
 * A text without the secrets of a server's definition: it goes into errors, which go into history and logs. Call it
 * before cutting a text: half a secret is not found.
 */
export function withoutSecrets(text: string, server: McpServer): string {
  return hideSecrets(text, secretsOf(server));
}

/** The same for many texts: it looks through the environment of the worker only once. */
export function secretsHider(server: McpServer): (text: string) => string {
  const secrets = secretsOf(server);
  return (text) => hideSecrets(text, secrets);
}

/** The address of a server without secrets: keys are also passed in the query. */
export function shownUrl({ url }: McpHttpServer): string {
  const shown = new URL(url);
  const query = [...shown.searchParams.keys()].map((key) => `${encodeURIComponent(key)}=***`).join('&');
  return `${shown.origin}${shown.pathname}${query === '' ? '' : `?${query}`}`;
}

/**
 * The headers that a definition names.
 * @throws ServerFailure when the worker's environment lacks one of its variables
 */
export function headersOf({ headers = {} }: McpHttpServer): Record<string, string> {
  return resolveHeaders(headers, (variable, header) => {
    return new ServerFailure(`the environment variable \`${variable}\` is not set`, {
      advice: `set it where the worker runs, for the header \`${header}\``,
    });
  });
}

/** @throws ServerFailure when the worker's environment lacks its variable */
export function clientSecretOf({ clientSecret }: McpAuth): string {
  return resolveValue(clientSecret, (variable) => {
    return new ServerFailure(`the environment variable \`${variable}\` is not set`, {
      advice: 'set it where the worker runs, for `auth.clientSecret`',
    });
  });
}

function secretsOf(server: McpServer): string[] {
  if (!isHttpServer(server)) return [...environmentSecrets(server.env ?? {}), ...argumentSecrets(server.args ?? [])];
  const oauth = server.auth === undefined ? [] : [...credentialsOf(server.auth.clientSecret), ...tokensOf(server)];
  return [...headerSecrets(server.headers), ...urlSecrets(server.url), ...oauth];
}
