import { setTimeout as delay } from 'node:timers/promises';
import { TOKEN } from './stage';

/** The connection was lost, or something behind the server is away: worth another try. */
export class Lost extends Error {}

/** Milliseconds between two tries of a reader. */
const PAUSE = 200;

/** `fetch` with the token. @throws Lost; Error for answers that no client would ask again for */
export async function request(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${TOKEN}`);
  const response = await fetch(url, { ...init, headers }).catch((error: unknown) => {
    throw new Lost(String(error));
  });
  if (response.ok) return response;
  const text = await response.text().catch(() => '');
  if (response.status === 503) throw new Lost(text);
  throw new Error(`${response.status} from ${String(url)}: ${text}`);
}

/** Tries until it is not lost. */
export async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isLost(error)) throw error;
    }
    await delay(PAUSE);
  }
}

/** `fetch` says `TypeError` where a body breaks off. */
export function isLost(error: unknown): boolean {
  return error instanceof Lost || error instanceof TypeError;
}

export async function getJson<T>(url: string): Promise<T> {
  const response = await request(url);
  try {
    return (await response.json()) as T;
  } catch (error) {
    // Half an answer is not JSON.
    throw new Lost(String(error));
  }
}

/** A command that is carried out once, however often it is sent. */
export async function post(url: string, body: object, key: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  await persist(async () => {
    await (await request(url, { method: 'POST', headers, body: JSON.stringify(body) })).text();
  });
}
