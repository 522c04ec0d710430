import { ApiError, AwayError, apiErrorOf } from './api-error';
import { connection } from './connection';
import { fetchAlive } from './silence';
import { token } from './token';

/** `fetch` with the token; it keeps the state of the connection. Errors of the network, and silence, are an `AwayError`. */
export async function request(path: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const known = token();
  if (known !== undefined) headers.set('authorization', `Bearer ${known}`);
  let response: Response;
  try {
    response = await fetchAlive(path, { ...init, headers });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    connection.set('away');
    throw new AwayError();
  }
  // What stands between the page and the server answers with these while the server restarts.
  if (response.status === 502 || response.status === 504) {
    connection.set('away');
    throw new AwayError();
  }
  connection.set(response.status === 401 ? 'unauthorized' : 'connected');
  if (!response.ok) throw apiErrorOf(response.status, await response.text());
  return response;
}

async function json<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await request(path, init);
  if (response.status === 204) return undefined as T;
  const text = await response.text();
  try {
    return (text === '' ? undefined : JSON.parse(text)) as T;
  } catch {
    throw new ApiError(response.status, 'NotJson', 'The server answered with something other than JSON.');
  }
}

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return json<T>(path, signal === undefined ? {} : { signal });
}

export function post<T>(path: string, body: object = {}, headers: Record<string, string> = {}): Promise<T> {
  return json<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

export function remove(path: string): Promise<void> {
  return json<void>(path, { method: 'DELETE' });
}
