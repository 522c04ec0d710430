import type { Client } from '@temporalio/client';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import type { Fact, FactPage } from '../../agent/protocol/facts/fact';
import { type ChainLink, QUERY } from '../../agent/protocol/queries';
import { defined } from '../../agent/values/defined';
import { untilAborted } from '../../runtime/abort/until-aborted';
import { leftFacts } from '../../runtime/chain/left-facts';
import { patientQuery } from '../requests/patient-query';
import { isUnreadable } from '../runs/earlier-runs';
import { RunChanges } from './run-changes';

/** Pages that are kept for readers who are a little behind the others; a page is at most about 1 MB. */
const PAGES = 4;

/** A page, and what it was asked for. */
interface Read extends FactPage {
  after: number;
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

  constructor(
    private readonly client: Client,
    private readonly id: string,
    private readonly workerTimeout: number | undefined,
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
    this.onEmpty();
  }

  /**
   * Facts from the one after `after` to the end of the run, each once, in order. `onCaughtUp` is called before each wait
   * for later facts.
   * @throws HoldfastError `FactsMissing` where the run no longer has the next one
   */
  async *facts(
    after: number,
    signal: AbortSignal,
    onCaughtUp?: (page: FactPage) => void,
  ): AsyncGenerator<Fact, void, undefined> {
    const { changes } = this;
    let seen = after;
    let runId: string | undefined;
    /** Runs that have the facts after those of `runId`, as the newest one has named them; it is the last of them. */
    let ahead: string[] = [];
    for (;;) {
      signal.throwIfAborted();
      const { version, closed, runId: current } = changes;
      const kept = this.#recent.find((read) => read.runId === runId && read.after === seen && read.facts.length > 0);
      const page = kept ?? (await untilAborted(this.#readIfThere(runId, seen), signal));
      if (page === undefined) {
        // The newest run says which facts are missing now.
        runId = undefined;
        ahead = [];
        continue;
      }
      const [oldest, ...later] = page.earlier ?? [];
      if (oldest !== undefined) {
        const missing = await untilAborted(this.#missing(oldest, seen), signal);
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
        const { chainId } = await untilAborted(this.#read(current, seen), signal);
        if (chainId !== page.chainId) return;
        runId = current;
        continue;
      }
      if (closed) return;
      onCaughtUp?.(page);
      await changes.after(version, signal);
    }
  }

  /** `undefined`: the run is no longer the newest one, and can no longer be read. */
  async #readIfThere(runId: string | undefined, after: number): Promise<Read | undefined> {
    try {
      return await this.#read(runId, after);
    } catch (error) {
      if (runId === undefined || !isUnreadable(error)) throw error;
      const { runId: newest } = await this.client.workflow.getHandle(this.id).describe();
      if (newest === runId) throw error;
      this.#unreadable.set(runId, error);
      return undefined;
    }
  }

  /** A fact about the facts of an earlier run that can no longer be read; `undefined` where they can. */
  async #missing(link: ChainLink, seen: number): Promise<Fact | undefined> {
    try {
      const known = this.#unreadable.get(link.runId);
      if (known !== undefined) throw known;
      await this.#read(link.runId, seen);
      return undefined;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.#unreadable.set(link.runId, error);
      const why = messageOf(error);
      const gap = { from: seen + 1, to: link.facts, why };
      return { type: 'facts.missing', ...gap, seq: link.facts, time: Date.now(), exchange: 0 };
    }
  }

  /** One query for all readers that have come equally far since the last change. */
  #read(runId: string | undefined, after: number): Promise<Read> {
    const key = `${this.changes.version} ${runId} ${after}`;
    const shared = this.#reads.get(key);
    if (shared !== undefined) return shared;
    const read = this.#fetch(runId, after).then((page) => {
      if (page.facts.length > 0) this.#recent = [...this.#recent, page].slice(-PAGES);
      return page;
    });
    this.#reads.set(key, read);
    const forget = () => this.#reads.delete(key);
    read.then(forget, forget);
    return read;
  }

  async #fetch(runId: string | undefined, after: number): Promise<Read> {
    const isNewest = runId === undefined || runId === (this.changes.runId ?? this.#newest);
    const left = isNewest ? undefined : await this.#leftBy(runId, after);
    if (left !== undefined) return left;
    const page = await patientQuery<FactPage>(this.client, this.id, QUERY.facts, {
      argument: after,
      workerTimeout: this.workerTimeout,
      hasEnded: !isNewest,
      ...defined({ runId }),
    });
    if (runId === undefined) this.#newest = page.runId;
    return { ...page, after };
  }

  /** From the end of a history that the run has left. Whatever is wrong with it, the query will tell. */
  async #leftBy(runId: string, after: number): Promise<Read | undefined> {
    const page = await leftFacts(this.client, this.id, runId).catch(() => undefined);
    if (page === undefined || after + 1 < page.firstSeq) return undefined;
    return { ...page, facts: page.facts.slice(after + 1 - page.firstSeq), after };
  }
}
