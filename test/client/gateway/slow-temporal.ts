import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter, toPayloads } from '@temporalio/common';
import { QUERY } from '../../../agent/protocol/queries';

interface Limits {
  deadline?: number;
  signal?: AbortSignal;
}

/**
 * A Temporal server that answers so many calls a second, in the order in which they come. As a real one, it works on those that
 * their caller has given up, too. Every run has three facts, and nothing happens in it.
 */
export class SlowTemporal {
  /** It takes calls and answers none. */
  isSilent = false;
  inProgress = 0;
  mostInProgress = 0;
  readonly asked = { describe: 0, query: 0, history: 0 };
  #free: number;
  readonly #limits = new AsyncLocalStorage<Limits>();

  /** @param stall milliseconds in which it answers nothing at first */
  constructor(
    private readonly perSecond: number,
    stall = 0,
  ) {
    this.#free = Date.now() + stall;
  }

  async #answer<T>(answer: T): Promise<T> {
    const { deadline = Number.POSITIVE_INFINITY, signal } = this.#limits.getStore() ?? {};
    this.#free = Math.max(this.#free, Date.now()) + 1000 / this.perSecond;
    this.inProgress++;
    this.mostInProgress = Math.max(this.mostInProgress, this.inProgress);
    if (this.isSilent) this.#free = Number.MAX_SAFE_INTEGER;
    const isLate = this.#free > deadline;
    await new Promise<void>((resolve) => {
      const end = Math.min(this.#free, deadline);
      const timer = end < Number.MAX_SAFE_INTEGER ? setTimeout(resolve, end - Date.now()) : undefined;
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.inProgress--;
    if (signal?.aborted) throw refusal(1, 'Cancelled on client');
    if (isLate) throw refusal(4, 'Deadline exceeded');
    return answer;
  }

  readonly client = {
    options: {
      namespace: 'default',
      loadedDataConverter: { payloadConverter: defaultPayloadConverter, payloadCodecs: [] },
    },
    workflowService: {
      getSystemInfo: async () => ({ serverVersion: '1' }),
      describeWorkflowExecution: ({ execution: { workflowId } }: { execution: { workflowId: string } }) => {
        this.asked.describe++;
        return this.#answer({ workflowExecutionInfo: { execution: { runId: workflowId }, historyLength: 9 } });
      },
      getWorkflowExecutionHistory: async ({ waitNewEvent }: { waitNewEvent?: boolean }) => {
        // The end of a run, by a long poll.
        if (waitNewEvent) await new Promise(() => undefined);
        this.asked.history++;
        const payloads = toPayloads(defaultPayloadConverter, {}, { input: null, owner: 'local:ann' });
        const start = { workflowType: { name: 'support.desk' }, input: { payloads } };
        return this.#answer({ history: { events: [{ workflowExecutionStartedEventAttributes: start }] } });
      },
    },
    withDeadline: <T>(deadline: number, call: () => T) =>
      this.#limits.run({ ...this.#limits.getStore(), deadline }, call),
    withAbortSignal: <T>(signal: AbortSignal, call: () => T) =>
      this.#limits.run({ ...this.#limits.getStore(), signal }, call),
    workflow: {
      getHandle: (id: string) => ({
        describe: () => {
          this.asked.describe++;
          return this.#answer({ runId: id, historyLength: 9, status: { name: 'RUNNING' }, raw: {} });
        },
        query: (name: string, after: number) => {
          this.asked.query++;
          if (name !== QUERY.facts) return this.#answer({ agent: 'support.desk', tools: [], exchange: 1, facts: 3 });
          const facts = [1, 2, 3].slice(after).map((seq) => ({ type: 'loop.iteration', seq, exchange: 1, time: 0 }));
          return this.#answer({ facts, firstSeq: 1, last: 3, runId: id, chainId: id, ended: false });
        },
      }),
    },
  } as unknown as Client;
}

function refusal(code: number, details: string): Error {
  return Object.assign(new Error(details), { code, details, metadata: {} });
}
