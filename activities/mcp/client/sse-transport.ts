import { SSEClientTransport, SseError } from '@modelcontextprotocol/client';
import type { McpHttpServer } from '../../../agent/define/mcp-server';
import { headersOf } from '../secrets';
import { boundedFetch } from './bounded-fetch';
import { httpProblem } from './http-problem';
import type { Explained, Link } from './link';
import { told } from './sdk-errors';

/** The SDK's transport for servers that speak SSE only. */
export class SseTransport extends SSEClientTransport implements Link {
  readonly gone: Promise<void>;
  stale = false;
  slow = false;
  readonly #definition: McpHttpServer;
  #markGone: () => void = () => {};

  /** @throws ServerFailure when a header cannot be made */
  constructor(definition: McpHttpServer) {
    super(new URL(definition.url), {
      requestInit: { headers: headersOf(definition) },
      fetch: (url, init) => boundedFetch(() => this.slow, url, init),
    });
    this.#definition = definition;
    this.gone = new Promise((resolve) => {
      this.#markGone = resolve;
    });
  }

  /**
   * The SDK opens a cut stream again, but the server takes that for a new session, which nobody has initialised: calls
   * would wait there until their time is up.
   */
  onProblem(error: Error): void {
    // Not at once: the event source sets the timer for its next attempt after this, and would be held open by it.
    if (error instanceof SseError) setImmediate(() => void this.close());
  }

  override async close(): Promise<void> {
    await super.close();
    this.#markGone();
  }

  async explain(error: unknown): Promise<Explained> {
    const explained = httpProblem(error, { session: true });
    if (explained.stale) this.stale = true;
    return { ...explained, problem: told(explained.problem, this.#definition) };
  }
}
