import { Context } from '@temporalio/activity';
import { LRUCache } from 'lru-cache';
import type { ContextSummary } from '../../agent/model/context-window';
import type { Manifest, Pin, RunContext } from '../../agent/protocol/manifest';
import { QUERY } from '../../agent/protocol/queries';
import { sha256 } from '../../runtime/sha256';
import { queryOwnRun } from './query-run';

/** Characters of JSON that a worker keeps for manifests, contexts and summaries. */
const MAX_SIZE = 64 * 1024 * 1024;
/** Pairs of run and hash that a worker knows: two for each run, and its summaries. */
const MAX_KNOWN = 20_000;

/** Asks the run for what this worker does not have. */
export type FetchPinned = (what: 'manifest' | 'context' | 'summary') => Promise<Pinned>;

/** What a run keeps once and then names by its hash. */
type Pinned = Manifest | RunContext | ContextSummary;

/**
 * Manifests, contexts and summaries that runs have pinned, by SHA-256. A run gets only what it put here itself or answered to the
 * query: a hash alone, which another run might name, gives access to nothing. Equal values of many runs are kept once.
 */
export class PinStore {
  readonly #values = new LRUCache<string, Pinned>({ maxSize: MAX_SIZE });
  /** By run and the hash that it names: the hash that this worker has computed. */
  readonly #known = new LRUCache<string, string>({ max: MAX_KNOWN });

  constructor(
    private readonly runId: () => string = ownRunId,
    private readonly fetch: FetchPinned = (what) => queryOwnRun<Pinned>(QUERY.pinned, what),
  ) {}

  /** Keeps a value of the run that this activity belongs to, and returns the hash that names it. */
  put(value: Pinned): string {
    const hash = this.#keep(value);
    this.#known.set(`${this.runId()} ${hash}`, hash);
    return hash;
  }

  manifest(hash: string): Promise<Manifest> {
    return this.#get('manifest', hash);
  }

  summary(hash: string): Promise<ContextSummary> {
    return this.#get('summary', hash);
  }

  async both(pin: Pin): Promise<{ manifest: Manifest; context: RunContext }> {
    const [manifest, context] = await Promise.all([
      this.manifest(pin.manifest),
      this.#get<RunContext>('context', pin.context),
    ]);
    return { manifest, context };
  }

  async #get<Value extends Pinned>(what: 'manifest' | 'context' | 'summary', named: string): Promise<Value> {
    const place = `${this.runId()} ${named}`;
    const hash = this.#known.get(place);
    const known = hash === undefined ? undefined : this.#values.get(hash);
    if (known !== undefined) return known as Value;
    const value = await this.fetch(what);
    this.#known.set(place, this.#keep(value));
    return value as Value;
  }

  #keep(value: Pinned): string {
    const json = JSON.stringify(value);
    const hash = sha256(json);
    // The first of equal values stays: what was made of it, such as a client, serves all runs.
    if (this.#values.get(hash) === undefined) this.#values.set(hash, value, { size: json.length });
    return hash;
  }
}

/** The Temporal run that the activity belongs to. */
function ownRunId(): string {
  return Context.current().info.workflowExecution?.runId ?? '';
}
