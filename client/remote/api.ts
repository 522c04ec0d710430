import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import { mayAnswerLater } from '../../agent/errors/may-answer-later';
import { isJsonObject, type Json } from '../../agent/values/json';
import { backOff } from './back-off';
import { noServer, unreached } from './unreached';

/** How the API is reached. */
export interface RemoteApiOptions {
  url: string;
  token: string | undefined;
  /** Milliseconds during which a request that finds no server is sent again. */
  patience: number;
  /** Is told when a request finds no server and is going to be sent again, once for each request. */
  onAway?: ((problem: string) => void) | undefined;
}

/** One request to the API. */
export interface RemoteRequest {
  method?: 'GET' | 'POST' | 'DELETE';
  body?: unknown;
  query?: { readonly [name: string]: string | number | undefined };
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  /** The same key has one effect. Default for writes: a new one for each call. */
  key?: string | undefined;
  /** Default: that of the API. */
  patience?: number | undefined;
}

/** Errors of the API after which the same request may succeed. */
const AWAY: ReadonlySet<string> = new Set(['Stopping', 'IssuerUnavailable', 'TooManyRequests']);
/** Statuses of a proxy that finds no server behind it. */
const PROXY: ReadonlySet<number> = new Set([502, 503, 504]);

/** The HTTP API of a served address. */
export class RemoteApi {
  constructor(private readonly options: RemoteApiOptions) {}

  get url(): string {
    return this.options.url;
  }

  /**
   * Sends a request, and gives the body of the answer. While no server answers it is sent again: a write with the same
   * `Idempotency-Key`, so that it has one effect.
   * @throws HoldfastError the error of the API; `NoServer`; `ServerRefused` if the address is not that of an API
   */
  async json<Answer>(path: string, request: RemoteRequest = {}): Promise<Answer> {
    const { patience = this.options.patience, method = 'GET', signal } = request;
    const end = Date.now() + patience;
    const key = method === 'GET' ? undefined : (request.key ?? randomUUID());
    for (let tries = 1; ; tries++) {
      try {
        const response = await this.open(path, { ...request, key });
        return (response.status === 204 ? undefined : await bodyOf(response, this.url)) as Answer;
      } catch (error) {
        const pause = backOff(tries);
        if (signal?.aborted || !isAway(error) || Date.now() + pause > end) throw error;
        if (tries === 1) this.options.onAway?.(messageOf(error));
        await delay(pause, undefined, { signal });
      }
    }
  }

  /**
   * Sends a request once, and gives the answer if it is a success.
   * @throws HoldfastError as {@link json}; the reason of `signal`
   */
  async open(
    path: string,
    { method = 'GET', body, query = {}, headers, signal, key }: RemoteRequest,
  ): Promise<Response> {
    const { url, token } = this.options;
    const address = new URL(`${url}/v1${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) address.searchParams.set(name, String(value));
    }
    let response: Response;
    try {
      response = await fetch(address, {
        method,
        // A write that is sent on to another address would become a read.
        redirect: 'manual',
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw unreached(url, error);
    }
    if (response.ok) return response;
    throw await errorOf(response, url);
  }
}

/** Whether a request failed because something is away, and not for what it says, or for how it was sent. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof HoldfastError)) return false;
  return error.type === 'NoServer' ? mayAnswerLater(error) : AWAY.has(error.type);
}

async function bodyOf(response: Response, url: string): Promise<Json> {
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    // The connection broke in the middle of the answer.
    throw unreached(url, error);
  }
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw notTheApi(response, url);
  }
}

async function errorOf(response: Response, url: string): Promise<Error> {
  const body = await bodyOf(response, url).catch((error: unknown) => error as HoldfastError);
  const error = isJsonObject(body as Json) ? (body as { error?: Json }).error : undefined;
  if (error !== undefined && isJsonObject(error) && isTypeOfOurs(error.type)) {
    if (response.status === 401) return HoldfastError.revive(error.type, refusedText(url), error.data);
    return HoldfastError.revive(error.type, String(error.message ?? error.type), error.data);
  }
  if (PROXY.has(response.status)) return noServer(url, `status ${response.status}`);
  return body instanceof Error ? body : notTheApi(response, url);
}

/** Types of the API are in one form; model servers have errors of the same shape, such as `invalid_request_error`. */
function isTypeOfOurs(type: Json | undefined): type is string {
  return typeof type === 'string' && /^[A-Z][A-Za-z]+$/.test(type);
}

/** The API speaks of a header, which users of the client do not write. */
function refusedText(url: string): string {
  return `${url} refuses the key or token. Give a valid one, with HOLDFAST_TOKEN or as \`token\` of the client.`;
}

function notTheApi({ status, headers }: Response, url: string): HoldfastError {
  const to = headers.get('location');
  const problem = `status ${status}${to === null ? '' : `, which leads to ${to}`}`;
  const message = `${url} does not answer as \`holdfast serve\` does (${problem}). Check the address.`;
  return new HoldfastError('ServerRefused', { id: '', status: String(status), problem }, { message });
}
