import { setImmediate as turn } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { defaultPayloadConverter, type Payload, toPayloads } from '@temporalio/common';
import type { Fact, FactPage } from '../../../agent/protocol/facts/fact';
import type { ChainLink } from '../../../agent/protocol/queries';
import { packFacts } from '../../../workflows/run/carry/pack-facts';

/** A Temporal run as a server and a worker show it. */
export class ServedRun {
  readonly facts: Fact[] = [];
  status: 'RUNNING' | 'COMPLETED' | 'TERMINATED' | 'CONTINUED_AS_NEW' = 'RUNNING';
  historyLength = 1;
  ended = false;
  /** Earlier runs of the chain. */
  chain: ChainLink[] = [];
  /** What it goes on with in the next run; `undefined` while it has not. */
  passedOn: Payload[] | undefined;

  constructor(
    readonly runId: string,
    readonly chainId = 'chain',
    private readonly first = 1,
  ) {}

  /** The run goes on in a next one. */
  moveTo(runId: string, leaves = true): ServedRun {
    const { chainId, facts, last } = this;
    const left = leaves ? packFacts({ chainId, facts }, 1_000_000) : undefined;
    this.passedOn = toPayloads(defaultPayloadConverter, {}, ...(left === undefined ? [] : [left])) ?? [];
    this.status = 'CONTINUED_AS_NEW';
    this.historyLength++;
    const next = new ServedRun(runId, chainId, last + 1);
    next.chain = [...this.chain, { runId: this.runId, facts: last, messages: 0 }];
    return next;
  }

  get last(): number {
    return this.first - 1 + this.facts.length;
  }

  tell(count = 1): void {
    for (let i = 0; i < count; i++) {
      const fact = { type: 'loop.iteration', turn: 1, lifecycle: 'init', seq: this.last + 1, time: 0, exchange: 1 };
      this.facts.push(fact as Fact);
    }
    this.historyLength++;
  }

  close(status: 'COMPLETED' | 'TERMINATED'): void {
    this.status = status;
    this.ended = status === 'COMPLETED';
    this.historyLength++;
  }

  page(after: number, most: number): FactPage {
    const from = Math.max(0, after + 1 - this.first);
    const { first: firstSeq, runId, chainId, last, ended } = this;
    const earlier = after + 1 < firstSeq ? this.chain.filter((link) => link.facts > after) : [];
    if (earlier.length > 0) return { facts: [], earlier, firstSeq, runId, chainId, last, ended };
    return { facts: this.facts.slice(from, from + most), firstSeq, runId, chainId, last, ended };
  }
}

interface HistoryRequest {
  execution: { runId: string };
  waitNewEvent?: boolean;
}

/** A client of a server that serves one workflow id, and counts what it is asked. */
export class FakeServer {
  readonly asked = { describe: 0, query: 0, history: 0, info: 0 };
  /** The workflow ids that were looked at, in order. */
  readonly looked: string[] = [];
  readonly runs: ServedRun[] = [];
  /** Most facts of one page. */
  pageSize = 3;
  /** Temporal's ids of runs that are gone. */
  readonly deleted = new Set<string>();
  /** What queries other than that for facts are answered with, by name. */
  readonly answers: { [query: string]: () => unknown } = {};
  /** No worker polls. */
  isDeserted = false;
  /** As a real server; the time-skipping one has no long poll. */
  hasLongPoll = false;
  /** Called in the middle of each query, after its answer is fixed. */
  during: () => unknown = () => undefined;

  constructor(run?: ServedRun) {
    if (run !== undefined) this.runs.push(run);
  }

  get now(): ServedRun {
    const run = this.runs.at(-1);
    if (run === undefined) throw new WorkflowNotFoundError('not found', 'r', undefined);
    return run;
  }

  run(runId: string): ServedRun {
    const run = this.runs.find((one) => one.runId === runId);
    if (run === undefined || this.deleted.has(runId)) throw new WorkflowNotFoundError('not found', 'r', runId);
    return run;
  }

  async #described(id: string, runId?: string): Promise<ServedRun> {
    this.asked.describe++;
    this.looked.push(id);
    await turn();
    return runId === undefined ? this.now : this.run(runId);
  }

  readonly client = {
    options: {
      namespace: 'default',
      loadedDataConverter: { payloadConverter: defaultPayloadConverter, payloadCodecs: [] },
    },
    workflowService: {
      // The time-skipping server is the only one without a version.
      getSystemInfo: async () => {
        this.asked.info++;
        return this.hasLongPoll ? { serverVersion: '1' } : {};
      },
      describeWorkflowExecution: async ({ execution: { workflowId } }: { execution: { workflowId: string } }) => {
        const { runId, historyLength, status } = await this.#described(workflowId);
        const closeTime = status === 'RUNNING' ? null : { seconds: 1 };
        return { workflowExecutionInfo: { execution: { runId }, historyLength, closeTime } };
      },
      getWorkflowExecutionHistory: async ({ execution, waitNewEvent }: HistoryRequest) => {
        if (waitNewEvent) await new Promise(() => undefined);
        this.asked.history++;
        await turn();
        const payloads = this.run(execution.runId).passedOn;
        return { history: { events: [{ workflowExecutionContinuedAsNewEventAttributes: { input: { payloads } } }] } };
      },
    },
    withDeadline: <T>(_: number, call: () => T) => call(),
    withAbortSignal: <T>(_: AbortSignal, call: () => T) => call(),
    workflow: {
      getHandle: (id: string, runId?: string) => ({
        describe: async () => {
          const { historyLength, status, ...run } = await this.#described(id, runId);
          return { runId: run.runId, historyLength, status: { name: status }, raw: {} };
        },
        query: async (name: string, after: number) => {
          this.asked.query++;
          await turn();
          if (this.isDeserted) throw Object.assign(new Error('no poller'), { code: 9, details: '', metadata: {} });
          const answer = this.answers[name];
          if (answer !== undefined) return answer();
          const run = runId === undefined ? this.now : this.run(runId);
          const page = run.page(after, this.pageSize);
          await this.during();
          return page;
        },
      }),
    },
  } as unknown as Client;
}
