import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import type { Fact, FactPage } from '../../agent/protocol/facts/fact';
import { type ChainLink, QUERY } from '../../agent/protocol/queries';
import { untilAborted } from '../../runtime/abort/until-aborted';
import { leftFacts } from '../../runtime/chain/left-facts';
import { unlessAborted } from '../../runtime/temporal/unless-aborted';
import { patientQuery } from '../requests/patient-query';
import { isNoWorker, untilWorkerBack, type WorkerAsking, type WorkerPatience } from '../requests/until-worker-back';
import { isUnreadable } from '../runs/earlier-runs';
import { RunChanges } from './run-changes';

/** Pages that are kept for readers who are a little behind the others; a page is at most about 1 MB. */
const PAGES = 4;

/** A page, and what it was asked for. */
interface Read extends FactPage {
  after: number;
  /** The newest run had closed before the query. */
  closed?: boolean;
}

/** How a reader reads. */
export interface FeedReading extends WorkerPatience {
  /** Called before each wait for later facts. */
  onCaughtUp?(page: FactPage): void;
}

/**
 * The facts of one run, for all readers of this process: they share the looks at the run, and those that have come equally far
 * share each query.
 */
export class RunFeed {
  readonly changes: RunChanges;
  #readers = 0;
  readonly #reads = new Map<string, Promise<Read>>();
  #recent: Read[] = [];
  /** Temporal's id of the newest run, as the last query found it. */
  #newest: string | undefined;
  /** Why earlier runs can no longer be read. */
  readonly #unreadable = new Map<string, unknown>();
  /** Aborted when the last reader has left. */
  readonly #left = new AbortController();

  constructor(
    private readonly client: Client,
    private readonly id: string,
    private readonly onEmpty: () => void,
  ) {
    this.changes = new RunChanges(client, id);
  }

  join(): this {
    this.#readers++;
    return this;
  }

  leave(): void {
    if (--this.#readers > 0) return;
    this.changes.stop();
    this.#left.abort();
    this.onEmpty();
  }

  /**
   * Facts from the one after `after` to the end of the run, each once, in order. A reader who has had all facts waits for
   * later ones, and for the workers that tell them: to others, and of a run that has closed, workers that are away are an
   * error.
   * @throws HoldfastError `FactsMissing` where the run no longer has the next one, `NoWorker`
   */
  async *facts(
    after: number,
    signal: AbortSignal,
    { onCaughtUp, ...patience }: FeedReading = {},
  ): AsyncGenerator<Fact, void, undefined> {
    const { changes } = this;
    let isCaughtUp = false;
    const patiently = <T>(read: (asking: WorkerAsking) => Promise<T>) =>
      untilAborted(
        untilWorkerBack(read, patience, () => isCaughtUp && !changes.closed && !signal.aborted),
        signal,
      );
    let seen = after;
    let runId: string | undefined;
    /** Runs that have the facts after those of `runId`, as the newest one has named them; it is the last of them. */
    let ahead: string[] = [];
    for (;;) {
      signal.throwIfAborted();
      const { version, closed, runId: current } = changes;
      const kept = this.#recent.find((read) => read.runId === runId && read.after === seen && read.facts.length > 0);
      const page = kept ?? (await patiently((asking) => this.#readIfThere(runId, seen, asking)));
      if (page === undefined) {
        // The newest run says which facts are missing now.
        runId = undefined;
        ahead = [];
        continue;
      }
      const [oldest, ...later] = page.earlier ?? [];
      if (oldest !== undefined) {
        const missing = await patiently((asking) => this.#missing(oldest, seen, asking));
        if (missing !== undefined) {
          seen = missing.seq;
          yield missing;
        }
        ahead = [...(missing === undefined ? [oldest] : []), ...later].map((link) => link.runId);
        ahead.push(page.runId);
        runId = ahead.shift();
        continue;
      }
      const first = page.facts[0]?.seq ?? page.firstSeq;
      if (first > seen + 1) throw new HoldfastError('FactsMissing', { id: this.id, from: seen + 1, to: first - 1 });
      for (const fact of page.facts) {
        seen = fact.seq;
        yield fact;
      }
      runId = page.runId;
      if (seen >= page.last && ahead.length > 0) {
        runId = ahead.shift();
        continue;
      }
      // What was kept says nothing of what has happened since.
      if (kept !== undefined || seen < page.last) continue;
      if (page.ended) return;
      if (current !== runId && current !== undefined) {
        // After a reset the chain goes on in another Temporal run; a cron run and a workflow retry begin a chain of their own.
        const { chainId } = await patiently((asking) => this.#read(current, seen, asking));
        if (chainId !== page.chainId) return;
        runId = current;
        continue;
      }
      if (closed || page.closed) return;
      isCaughtUp = true;
      onCaughtUp?.(page);
      await changes.after(version, signal);
    }
  }

  /** `undefined`: the run is no longer the newest one, and can no longer be read. */
  async #readIfThere(runId: string | undefined, after: number, asking: WorkerAsking): Promise<Read | undefined> {
    try {
      return await this.#read(runId, after, asking);
    } catch (error) {
      if (runId === undefined || !isUnreadable(error)) throw error;
      const { runId: newest } = await this.client.workflow.getHandle(this.id).describe();
      if (newest === runId) throw error;
      await this.#giveUp(runId, error, asking);
      return undefined;
    }
  }

  /** A fact about the facts of an earlier run that can no longer be read; `undefined` where they can. */
  async #missing(link: ChainLink, seen: number, asking: WorkerAsking): Promise<Fact | undefined> {
    try {
      const known = this.#unreadable.get(link.runId);
      if (known !== undefined) throw known;
      await this.#read(link.runId, seen, asking);
      return undefined;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      await this.#giveUp(link.runId, error, asking);
      const why = messageOf(error);
      const gap = { from: seen + 1, to: link.facts, why };
      return { type: 'facts.missing', ...gap, seq: link.facts, time: Date.now(), exchange: 0 };
    }
  }

  /**
   * Notes that an earlier run can no longer be read.
   * @throws HoldfastError `NoWorker` if no worker answers about the newest one either: the earlier one may be read later
   */
  async #giveUp(runId: string, error: unknown, asking: WorkerAsking): Promise<void> {
    if (isNoWorker(error)) await this.#read(undefined, 0, asking);
    this.#unreadable.set(runId, error);
  }

  /** One query for all readers that have come equally far since the last change, and are equally patient. */
  #read(runId: string | undefined, after: number, asking: WorkerAsking): Promise<Read> {
    const { workerTimeout, pause } = asking;
    const key = `${this.changes.version} ${runId} ${after} ${workerTimeout} ${pause}`;
    const shared = this.#reads.get(key);
    if (shared !== undefined) return shared;
    const read = this.#fetch(runId, after, asking).then((page) => {
      if (page.facts.length > 0) this.#recent = [...this.#recent, page].slice(-PAGES);
      return page;
    });
    this.#reads.set(key, read);
    const forget = () => this.#reads.delete(key);
    read.then(forget, forget);
    return read;
  }

  async #fetch(runId: string | undefined, after: number, asking: WorkerAsking): Promise<Read> {
    const isNewest = runId === undefined || runId === (this.changes.runId ?? this.#newest);
    const left = isNewest ? undefined : await this.#leftBy(runId, after);
    if (left !== undefined) return left;
    const { signal } = this.#left;
    let closed = false;
    const onFound = (found: WorkflowExecutionDescription) => {
      closed = found.status.name !== 'RUNNING';
      this.changes.begin(found);
    };
    const newest = runId === undefined ? { onFound } : { runId };
    const how = { ...asking, argument: after, hasEnded: !isNewest, signal, ...newest };
    const page = await unlessAborted(this.client, signal, () =>
      patientQuery<FactPage>(this.client, this.id, QUERY.facts, how),
    );
    if (runId === undefined) this.#newest = page.runId;
    return { ...page, after, closed };
  }

  /** From the end of a history that the run has left. Whatever is wrong with it, the query will tell. */
  async #leftBy(runId: string, after: number): Promise<Read | undefined> {
    const page = await leftFacts(this.client, this.id, runId).catch(() => undefined);
    if (page === undefined || after + 1 < page.firstSeq) return undefined;
    return { ...page, facts: page.facts.slice(after + 1 - page.firstSeq), after };
  }
}
