import { LRUCache } from 'lru-cache';
import { QUERY } from '../../agent/activities';
import { hashText } from '../../agent/hash';
import type { Manifest, Pin, RunContext } from '../../agent/manifest';
import { queryOwnRun } from './query-run';

/** Characters of JSON that a worker keeps of manifests and contexts. */
const MAX_SIZE = 64 * 1024 * 1024;

/** Manifests and contexts that runs have pinned, by hash; what this worker never saw is asked of the run. */
export class PinStore {
  readonly #cache = new LRUCache<string, Manifest | RunContext>({ maxSize: MAX_SIZE });

  /** Keeps a value and gives the hash that names it. */
  put(value: Manifest | RunContext): string {
    const json = JSON.stringify(value);
    const hash = hashText(json);
    this.#cache.set(hash, value, { size: json.length });
    return hash;
  }

  manifest(hash: string): Promise<Manifest> {
    return this.#get('manifest', hash);
  }

  async both(pin: Pin): Promise<{ manifest: Manifest; context: RunContext }> {
    const [manifest, context] = await Promise.all([
      this.manifest(pin.manifest),
      this.#get<RunContext>('context', pin.context),
    ]);
    return { manifest, context };
  }

  async #get<Value extends Manifest | RunContext>(what: 'manifest' | 'context', hash: string): Promise<Value> {
    const known = this.#cache.get(hash);
    if (known !== undefined) return known as Value;
    const value = await queryOwnRun<Value>(QUERY.pinned, what);
    this.put(value);
    return value;
  }
}
