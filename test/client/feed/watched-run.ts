import { setImmediate as turn } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Fact, FactPage } from '../../../agent/protocol/facts/fact';

/** A Temporal run as a server and a worker show it. */
export class ServedRun {
  readonly facts: Fact[] = [];
  status: 'RUNNING' | 'COMPLETED' | 'TERMINATED' = 'RUNNING';
  historyLength = 1;
  ended = false;

  constructor(
    readonly runId: string,
    readonly chainId = 'chain',
    private readonly first = 1,
  ) {}

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
    return { facts: this.facts.slice(from, from + most), firstSeq, runId, chainId, last, ended };
  }
}

/** A client of a server that serves one workflow id, and counts what it is asked. */
export class FakeServer {
  readonly asked = { describe: 0, query: 0, history: 0 };
  readonly runs: ServedRun[] = [];
  /** Most facts of one page. */
  pageSize = 3;
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

  readonly client = {
    options: { namespace: 'default' },
    // Without a version: as the time-skipping server, which has no long poll.
    workflowService: { getSystemInfo: async () => ({}) },
    withDeadline: <T>(_: number, call: () => T) => call(),
    workflow: {
      getHandle: (_: string, runId?: string) => ({
        describe: async () => {
          this.asked.describe++;
          await turn();
          const { runId, historyLength, status } = this.now;
          return { runId, historyLength, status: { name: status } };
        },
        query: async (_name: string, after: number) => {
          this.asked.query++;
          await turn();
          const newest = this.now;
          const run = this.runs.find((one) => one.runId === runId) ?? newest;
          const page = run.page(after, this.pageSize);
          await this.during();
          return page;
        },
      }),
    },
  } as unknown as Client;
}
