import type { Client } from '@temporalio/client';
import { askedAs, type HistoryRef } from '../../agent/protocol/entities/archive';
import type { FactPage } from '../../agent/protocol/facts/fact';
import { type ChainLink, QUERY, type TranscriptPage } from '../../agent/protocol/queries';
import type { Archive } from '../../runtime/storage/archive';
import { archiveOf } from '../../runtime/storage/archiving-storage';

/** A query to a history. Without `runId`: to the last one of the run that was the last to end under this id. */
export interface HistoryQuery {
  id: string;
  runId?: string | undefined;
  name: string;
  argument: unknown;
}

/**
 * What the archive answers a query with. `undefined` if it does not have it.
 * @throws HoldfastError `StorageUnavailable`
 */
export async function archivedAnswer(client: Client, { id, runId, name, argument }: HistoryQuery): Promise<unknown> {
  const archive = archiveOf(client);
  if (archive === undefined) return undefined;
  const end = runId === undefined ? await archive.lastEnd(client, id) : undefined;
  const from = runId ?? end?.runId;
  if (from === undefined) return undefined;
  const kept: Kept = { client, archive, ref: { id, runId: from } };
  switch (name) {
    case QUERY.facts:
      return factsIn(kept, Number(argument ?? 0), (end?.answers[QUERY.chain] ?? []) as ChainLink[]);
    case QUERY.transcript:
      return messagesIn(kept, Number(argument ?? 0));
    default:
      return end?.answers[askedAs(name, argument)];
  }
}

interface Kept {
  client: Client;
  archive: Archive;
  ref: HistoryRef;
}

/** Facts of a history after `after`, or which earlier ones have them. */
async function factsIn(
  { client, archive, ref }: Kept,
  after: number,
  chain: readonly ChainLink[],
): Promise<FactPage | undefined> {
  const kept = await archive.get(client, ref, 'facts');
  if (kept === undefined) return undefined;
  const { chainId, facts, ended } = kept;
  const firstSeq = facts[0]?.seq ?? 0;
  const about = { firstSeq, last: facts.at(-1)?.seq ?? 0, runId: ref.runId, chainId, ended };
  if (after + 1 >= firstSeq) return { facts: facts.slice(after + 1 - firstSeq), ...about };
  const earlier = chain.filter((link) => link.facts > after);
  return earlier.length > 0 ? { facts: [], earlier, ...about } : undefined;
}

/** Messages of a history from `asked` on, or from the first that it has. */
async function messagesIn({ client, archive, ref }: Kept, asked: number): Promise<TranscriptPage | undefined> {
  const kept = await archive.get(client, ref, 'messages');
  if (kept === undefined) return undefined;
  const from = Math.max(asked, kept.first);
  return { ...kept, from, messages: kept.messages.slice(from - kept.first) };
}
