import { setTimeout as delay } from 'node:timers/promises';
import { type Client, isGrpcServiceError } from '@temporalio/client';
import { defined } from '../../agent/values/defined';

/** Milliseconds of one long poll. The server itself ends it after 20 s. */
const DEADLINE = 40_000;

/** Milliseconds between two polls of a server without long polls. */
const LOOK_AGAIN = 100;

/**
 * Waits for the history of a run to grow, by the server's long poll, without a worker. The time-skipping test server
 * has no long poll that ends before its timeout, so it is polled repeatedly.
 */
export class HistoryChanges {
  #token: Uint8Array | undefined;
  #skip: number | undefined;
  #longPoll = true;
  closed = false;

  constructor(
    private readonly client: Client,
    private readonly workflowId: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Starts counting changes. Call it before the first query. */
  async begin(): Promise<void> {
    // The test server is the only one without a version.
    this.#longPoll = Boolean((await this.client.workflowService.getSystemInfo({})).serverVersion);
    this.#skip ??= (await this.#describe()).historyLength;
  }

  /** Resolves when a workflow task has completed since the last call, or the run has closed. */
  async next(): Promise<void> {
    while (!this.closed) {
      if (this.#longPoll ? await this.#poll() : await this.#look()) return;
    }
  }

  #describe() {
    return this.client.workflow.getHandle(this.workflowId).describe();
  }

  async #look(): Promise<boolean> {
    const { historyLength, status } = await this.#describe();
    const grown = historyLength !== this.#skip;
    this.#skip = historyLength;
    this.closed = status.name !== 'RUNNING';
    if (!grown && !this.closed) await delay(LOOK_AGAIN, undefined, { signal: this.signal });
    return grown || this.closed;
  }

  async #poll(): Promise<boolean> {
    const events = await this.#page();
    let changed = false;
    for (const event of events) {
      if (event.workflowExecutionContinuedAsNewEventAttributes) this.#follow();
      const isNew = Number(event.eventId) > (this.#skip ?? 0);
      if (isNew && event.workflowTaskCompletedEventAttributes) changed = true;
    }
    return changed || this.closed;
  }

  /** The chain continues in a new run with the same workflow id. */
  #follow(): void {
    this.#token = undefined;
    this.#skip = 0;
    this.closed = false;
  }

  async #page() {
    const { client, workflowId, signal } = this;
    // The client does not check a signal that is already aborted: the poll would never end.
    signal.throwIfAborted();
    try {
      // A new signal for each call: the client leaves its listener on the signal that it gets.
      const page = await client.withAbortSignal(AbortSignal.any([signal]), () =>
        client.withDeadline(Date.now() + DEADLINE, () =>
          client.workflowService.getWorkflowExecutionHistory({
            namespace: client.options.namespace,
            execution: { workflowId },
            waitNewEvent: true,
            ...defined({ nextPageToken: this.#token }),
          }),
        ),
      );
      this.#token = page.nextPageToken;
      // While the run is open there is always a token to wait with.
      if ((page.nextPageToken?.length ?? 0) === 0) this.closed = true;
      return page.history?.events ?? [];
    } catch (error) {
      signal.throwIfAborted();
      if (isGrpcServiceError(error) && (error.code === 4 || error.code === 14)) return [];
      throw error;
    }
  }
}
