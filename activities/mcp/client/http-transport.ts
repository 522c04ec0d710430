import {
  type FetchLike,
  isJSONRPCRequest,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { McpHttpServer } from '../../../agent/define/mcp-server';
import { headersOf } from '../secrets';
import { againWithScope } from './auth/again-with-scope';
import { authProblem, wantsToken } from './auth/auth-problem';
import { type ClientCredentials, credentialsFor } from './auth/client-credentials';
import { boundedFetch } from './bounded-fetch';
import { CUT, CUT_LARGE, httpProblem } from './http-problem';
import type { Explained, Link } from './link';
import { told } from './sdk-errors';
import { IdleTime } from './traffic/idle-time';
import { mendEvents } from './traffic/mend-events';
import { each, OpenRequests } from './traffic/open-requests';

/** How many milliseconds the server has to be told that its session is over. */
const FAREWELL = 1000;
/** A cut stream is resumed where it broke off: after 0.2 s, then 0.4 … 5 s, for about half a minute. */
const RECONNECTION = {
  initialReconnectionDelay: 200,
  reconnectionDelayGrowFactor: 2,
  maxReconnectionDelay: 5000,
  maxRetries: 10,
};

type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport['send']>[1]>;

/** The SDK's Streamable HTTP transport. It also ends a request whose answer was cut off and cannot be resumed. */
export class HttpTransport extends StreamableHTTPClientTransport implements Link {
  readonly gone: Promise<void>;
  stale = false;
  slow = false;
  tooLarge: string | undefined;
  readonly idle = new IdleTime();
  readonly #definition: McpHttpServer;
  readonly #credentials: ClientCredentials | undefined;
  #wantsToken = false;
  /** Streams on which the server may say what it wants, each from its request to its end. */
  readonly #streams = new Set<Promise<Response>>();
  #markGone: () => void = () => {};

  /** @throws ServerFailure when a header cannot be made, or the environment lacks the secret of `auth` */
  constructor(definition: McpHttpServer) {
    const credentials = credentialsFor(definition);
    super(new URL(definition.url), {
      ...(credentials && { authProvider: credentials }),
      requestInit: { headers: headersOf(definition) },
      reconnectionOptions: RECONNECTION,
      fetch: async (url, init) => {
        if (init?.method === 'GET') return this.#stream(url, init);
        const response = await this.#fetch(url, init);
        return init?.method === 'POST' ? this.#answered(response, init.body) : response;
      },
    });
    this.#definition = definition;
    this.#credentials = credentials;
    this.gone = new Promise((resolve) => {
      this.#markGone = resolve;
    });
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options: SendOptions = {}): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message) || options.onRequestStreamEnd !== undefined) {
      return super.send(message, options);
    }
    const { id } = message;
    // After an answer the client ignores this one.
    const onRequestStreamEnd = () => this.onmessage?.({ jsonrpc: '2.0', id, error: this.#cut() });
    return super.send(message, { ...options, onRequestStreamEnd });
  }

  #cut() {
    const { tooLarge } = this;
    this.tooLarge = undefined;
    if (tooLarge === undefined) return { code: -32_000, message: 'the connection was cut', data: CUT };
    return { code: -32_000, message: tooLarge, data: CUT_LARGE };
  }

  override async close(): Promise<void> {
    if (this.sessionId !== undefined && !this.stale) {
      const farewell = this.terminateSession().catch(() => {});
      await Promise.race([farewell, new Promise((resolve) => setTimeout(resolve, FAREWELL).unref())]);
    }
    await super.close();
    this.#markGone();
  }

  async #fetch(...[url, init]: Parameters<FetchLike>): Promise<Response> {
    const send: FetchLike = (...asked) => boundedFetch(this, ...asked);
    const response = await againWithScope(this.#credentials, send, url, init);
    this.#credentials?.sent(response, new Headers(init?.headers).get('authorization'));
    if (response.status === 401) this.#wantsToken = wantsToken(response);
    return response;
  }

  async #stream(...[url, init]: Parameters<FetchLike>): Promise<Response> {
    const opening = this.#fetch(url, init);
    this.#streams.add(opening);
    const ended = () => void this.#streams.delete(opening);
    const response = await opening.catch((error) => {
      ended();
      throw error;
    });
    if (isResumption(init) && response.status >= 400 && response.status < 500) this.#forgotten();
    if (response.ok && response.body !== null) return whichTells(ended, response, response.body);
    ended();
    return response;
  }

  /** The response to a request or a notification, with answers as the SDK's strict parser accepts them. */
  async #answered(response: Response, body: unknown): Promise<Response> {
    if (!response.ok || typeof body !== 'string') return response;
    const requests = new OpenRequests();
    for (const message of each(JSON.parse(body))) requests.sent(message as JSONRPCMessage);
    const [type] = (response.headers.get('content-type') ?? '').toLowerCase().split(/\s*;/);
    if (response.status === 202) return this.#accepted(response, requests);
    if (type === 'application/json') return withAnswers(response, requests);
    if (type !== 'text/event-stream' || response.body === null) return response;
    return withBody(response, response.body.pipeThrough(mendEvents(requests, { answering: true })));
  }

  /**
   * A response with 202 ends the requests that it was for, unless there is a stream on which a server that breaks the
   * rules may still answer them.
   */
  async #accepted(response: Response, requests: OpenRequests): Promise<Response> {
    const answers = requests.unanswered('HTTP 202 without an answer');
    // Notifications have no answer, and do not wait for a stream that is being opened.
    if (answers.length === 0) return response;
    await Promise.allSettled(this.#streams);
    if (this.#streams.size > 0) return response;
    return new Response(JSON.stringify(answers), { headers: { 'content-type': 'application/json' } });
  }

  /**
   * The server has forgotten the session. The SDK would retry for half a minute, while all calls of the session are
   * lost.
   */
  #forgotten(): void {
    this.stale = true;
    void this.close();
  }

  async explain(error: unknown): Promise<Explained> {
    const { url, auth } = this.#definition;
    const asked = { url, session: this.sessionId !== undefined, auth, wantsToken: this.#wantsToken };
    const explained = authProblem(error, auth) ?? httpProblem(error, asked);
    if (explained.stale) this.stale = true;
    return { ...explained, problem: told(explained.problem, this.#definition) };
  }
}

function isResumption(init: RequestInit | undefined): boolean {
  return init?.method === 'GET' && new Headers(init.headers).has('last-event-id');
}

function withAnswers(response: Response, requests: OpenRequests): Response {
  const json = response.json.bind(response);
  // It is read-only in Hono's responses, which replace those of Node where a gateway runs too.
  return Object.defineProperty(response, 'json', { value: async () => requests.readAll(await json()) });
}

/** The same response, which tells when its body has ended, or is not read to its end. */
function whichTells(ended: () => void, response: Response, body: ReadableStream<Uint8Array>): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  body.pipeTo(writable).then(ended, ended);
  return withBody(response, readable);
}

function withBody({ status, statusText, headers }: Response, body: ReadableStream<Uint8Array>): Response {
  return new Response(body, { status, statusText, headers });
}
