import type { Client } from '@temporalio/client';
import { RunFeed } from './run-feed';

/** Feeds that have readers, by the Temporal client that they read with. */
const FEEDS = new WeakMap<Client, Map<string, RunFeed>>();

/** The feed of a run, which a reader has to leave. */
export function joinFeed(client: Client, id: string): RunFeed {
  const feeds = FEEDS.get(client) ?? new Map<string, RunFeed>();
  FEEDS.set(client, feeds);
  const known = feeds.get(id);
  if (known !== undefined) return known.join();
  const feed = new RunFeed(client, id, () => feeds.delete(id));
  feeds.set(id, feed);
  return feed.join();
}

/** Something happens in a run: its readers look soon. `streams`: it is one of many pieces of an answer. */
export function hurryFeed(client: Client, id: string, options?: { streams: boolean }): void {
  FEEDS.get(client)?.get(id)?.changes.hurry(options);
}
