import { type FetchLike, type JSONRPCMessage, SSEClientTransport, SseError } from '@modelcontextprotocol/client';
import type { McpHttpServer } from '../../../agent/define/mcp-server';
import { headersOf } from '../secrets';
import { againWithScope } from './auth/again-with-scope';
import { authProblem, wantsToken } from './auth/auth-problem';
import { credentialsFor } from './auth/client-credentials';
import { boundedFetch } from './bounded-fetch';
import { httpProblem } from './http-problem';
import type { Explained, Link } from './link';
import { told } from './sdk-errors';
import { IdleTime } from './traffic/idle-time';
import { mendEvents } from './traffic/mend-events';
import { OpenRequests } from './traffic/open-requests';

/** The SDK's transport for servers that speak SSE only. */
export class SseTransport extends SSEClientTransport implements Link {
  readonly gone: Promise<void>;
  stale = false;
  slow = false;
  readonly idle = new IdleTime();
  readonly #definition: McpHttpServer;
  #wantsToken = false;
  readonly #requests = new OpenRequests();
  #markGone: () => void = () => {};

  /** @throws ServerFailure when a header cannot be made, or the environment lacks the secret of `auth` */
  constructor(definition: McpHttpServer) {
    const credentials = credentialsFor(definition);
    super(new URL(definition.url), {
      ...(credentials && { authProvider: credentials }),
      requestInit: { headers: headersOf(definition) },
      fetch: async (url, init) => {
        const send: FetchLike = (...asked) => boundedFetch(this, ...asked);
        const response = await againWithScope(credentials, send, url, init);
        credentials?.sent(response, new Headers(init?.headers).get('authorization'));
        if (response.status === 401) this.#wantsToken = wantsToken(response);
        const { status, statusText, headers, body } = response;
        if (init?.method === 'POST' || !response.ok || body === null) return response;
        return new Response(body.pipeThrough(mendEvents(this.#requests)), { status, statusText, headers });
      },
    });
    this.#definition = definition;
    this.gone = new Promise((resolve) => {
      this.#markGone = resolve;
    });
  }

  /**
   * The SDK reopens a cut stream, but the server treats that as a new session, which was never initialised: calls
   * would wait there until they time out.
   */
  onProblem(error: Error): void {
    // Not at once: the event source sets the timer for its next attempt after this, and that timer would keep it open.
    if (error instanceof SseError) setImmediate(() => void this.close());
  }

  override send(message: JSONRPCMessage): Promise<void> {
    this.#requests.sent(message);
    return super.send(message);
  }

  override async close(): Promise<void> {
    await super.close();
    this.#markGone();
  }

  async explain(error: unknown): Promise<Explained> {
    const { url, auth } = this.#definition;
    const asked = { url, session: true, auth, wantsToken: this.#wantsToken };
    const explained = authProblem(error, auth) ?? httpProblem(error, asked);
    if (explained.stale) this.stale = true;
    return { ...explained, problem: told(explained.problem, this.#definition) };
  }
}
