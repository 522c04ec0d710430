import type { FetchLike } from '@modelcontextprotocol/client';
import type { ClientCredentials } from './client-credentials';

/**
 * The response to a request. One that was refused because its token lacks a scope is made again, once, with a token that has
 * it: a request that is answered with HTTP 403 was not processed.
 */
export async function againWithScope(
  credentials: ClientCredentials | undefined,
  send: FetchLike,
  ...[url, init]: Parameters<FetchLike>
): Promise<Response> {
  const headers = new Headers(init?.headers);
  const response = await send(url, init);
  if (response.status !== 403 || credentials === undefined) return response;
  if (!(await credentials.widen(response, headers.get('authorization')))) return response;
  await response.body?.cancel();
  headers.set('authorization', `Bearer ${await credentials.token()}`);
  return send(url, { ...init, headers });
}
