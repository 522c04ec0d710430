import { type JSONRPCMessage, SSEClientTransport, SseError } from '@modelcontextprotocol/client';
import type { McpHttpServer } from '../../../agent/define/mcp-server';
import { headersOf } from '../secrets';
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
  readonly #requests = new OpenRequests();
  #markGone: () => void = () => {};

  /** @throws ServerFailure when a header cannot be made */
  constructor(definition: McpHttpServer) {
    super(new URL(definition.url), {
      requestInit: { headers: headersOf(definition) },
      fetch: async (url, init) => {
        const response = await boundedFetch(this, url, init);
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
    const explained = httpProblem(error, { url: this.#definition.url, session: true });
    if (explained.stale) this.stale = true;
    return { ...explained, problem: told(explained.problem, this.#definition) };
  }
}
