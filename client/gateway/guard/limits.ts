import { LRUCache } from 'lru-cache';
import { RequestRefused } from '../failure';

const MINUTE = 60_000;
/** Callers that are remembered: those that have been silent longest are forgotten first. */
const CALLERS = 10_000;

/** Requests a minute and open streams, by what a caller has authenticated with. Each process counts its own. */
export class CallerLimits {
  readonly #requests = new LRUCache<string, { left: number; at: number }>({ max: CALLERS });
  readonly #streams = new Map<string, number>();

  constructor(private readonly limits: { requests: number; streams: number }) {}

  /**
   * Takes one request of the caller: a bucket that fills evenly, so that no caller waits for the end of a minute.
   * @throws RequestRefused 429
   */
  take(credential: string, now = Date.now()): void {
    const { requests } = this.limits;
    const bucket = this.#requests.get(credential) ?? { left: requests, at: now };
    const left = Math.min(requests, bucket.left + ((now - bucket.at) * requests) / MINUTE);
    this.#requests.set(credential, { left: Math.max(0, left - 1), at: now });
    if (left >= 1) return;
    const seconds = Math.ceil(((1 - left) * MINUTE) / requests / 1000);
    const message = `More than ${requests} requests a minute. Try again in ${seconds} s, or raise \`gateway.limits.requests\`.`;
    throw new RequestRefused(429, 'TooManyRequests', message, { 'retry-after': String(seconds) });
  }

  /**
   * Counts a stream of the caller until the returned function is called.
   * @throws RequestRefused 429
   */
  open(credential: string): () => void {
    const { streams } = this.limits;
    const open = this.#streams.get(credential) ?? 0;
    if (open >= streams) {
      const message = `${open} streams are open. Close some, or raise \`gateway.limits.streams\`.`;
      throw new RequestRefused(429, 'TooManyStreams', message, { 'retry-after': '5' });
    }
    this.#streams.set(credential, open + 1);
    let closed = false;
    return () => {
      if (closed) return;
      closed = true;
      const left = (this.#streams.get(credential) ?? 1) - 1;
      if (left > 0) this.#streams.set(credential, left);
      else this.#streams.delete(credential);
    };
  }
}
