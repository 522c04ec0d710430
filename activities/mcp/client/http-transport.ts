import { isJSONRPCRequest, type JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { McpHttpServer } from '../../../agent/define/mcp-server';
import { headersOf } from '../secrets';
import { boundedFetch } from './bounded-fetch';
import { CUT, httpProblem } from './http-problem';
import type { Explained, Link } from './link';
import { told } from './sdk-errors';
import { IdleTime } from './traffic/idle-time';
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
  readonly idle = new IdleTime();
  readonly #definition: McpHttpServer;
  #markGone: () => void = () => {};

  /** @throws ServerFailure when a header cannot be made */
  constructor(definition: McpHttpServer) {
    super(new URL(definition.url), {
      requestInit: { headers: headersOf(definition) },
      reconnectionOptions: RECONNECTION,
      fetch: async (url, init) => {
        const response = await boundedFetch(this, url, init);
        if (isResumption(init) && response.status >= 400 && response.status < 500) this.#forgotten();
        return init?.method === 'POST' ? withAnswers(response, init.body) : response;
      },
    });
    this.#definition = definition;
    this.gone = new Promise((resolve) => {
      this.#markGone = resolve;
    });
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options: SendOptions = {}): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message) || options.onRequestStreamEnd !== undefined) {
      return super.send(message, options);
    }
    const { id } = message;
    const error = { code: -32_000, message: 'the connection was cut', data: CUT };
    // After an answer the client ignores this one.
    const onRequestStreamEnd = () => this.onmessage?.({ jsonrpc: '2.0', id, error });
    return super.send(message, { ...options, onRequestStreamEnd });
  }

  override async close(): Promise<void> {
    if (this.sessionId !== undefined && !this.stale) {
      const farewell = this.terminateSession().catch(() => {});
      await Promise.race([farewell, new Promise((resolve) => setTimeout(resolve, FAREWELL).unref())]);
    }
    await super.close();
    this.#markGone();
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
    const explained = httpProblem(error, { url: this.#definition.url, session: this.sessionId !== undefined });
    if (explained.stale) this.stale = true;
    return { ...explained, problem: told(explained.problem, this.#definition) };
  }
}

function isResumption(init: RequestInit | undefined): boolean {
  return init?.method === 'GET' && new Headers(init.headers).has('last-event-id');
}

/** The JSON of a response to a request, as the SDK's strict parser accepts it. */
function withAnswers(response: Response, request: unknown): Response {
  const isJson = /^application\/json\s*(;|$)/i.test(response.headers.get('content-type') ?? '');
  if (!response.ok || !isJson || typeof request !== 'string') return response;
  const requests = new OpenRequests();
  for (const message of each(JSON.parse(request))) requests.sent(message as JSONRPCMessage);
  const json = response.json.bind(response);
  // It is read-only in Hono's responses, which replace those of Node where a gateway runs too.
  return Object.defineProperty(response, 'json', { value: async () => requests.readAll(await json()) });
}
