/**
 * The URL of an endpoint below that of an API, such as `chat/completions`. A query, such as `api-version=…` or a key, belongs
 * to each request, and so it follows the path. A fragment is never sent.
 */
export function urlBelow(baseUrl: string, path: string): string {
  const [address = ''] = baseUrl.split('#', 1);
  const query = address.indexOf('?');
  const [api, asked] = query === -1 ? [address, ''] : [address.slice(0, query), address.slice(query)];
  return `${api.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}${asked}`;
}
