import type { Client } from '@temporalio/client';
import type { TranscriptPage } from '../../agent/protocol/activities';
import type { HistoryRef } from '../../agent/protocol/archive';
import type { FactPage } from '../../agent/protocol/facts/fact';
import { archiveOf } from '../../runtime/storage/archive-of';

/** The facts of a history after `after`, from the archive. `undefined` if that does not have them. */
export async function archivedFacts(client: Client, ref: HistoryRef, after: number): Promise<FactPage | undefined> {
  const kept = await archiveOf(client)?.get(client, ref, 'facts');
  if (kept === undefined) return undefined;
  const { chainId, facts, ended } = kept;
  const firstSeq = facts[0]?.seq ?? 0;
  if (after + 1 < firstSeq) return undefined;
  const last = facts.at(-1)?.seq ?? 0;
  return { facts: facts.slice(after + 1 - firstSeq), firstSeq, last, runId: ref.runId, chainId, ended };
}

/** The messages of a history from `asked` on, or from the first that it has. `undefined` if the archive has none of it. */
export async function archivedMessages(
  client: Client,
  ref: HistoryRef,
  asked: number,
): Promise<TranscriptPage | undefined> {
  const kept = await archiveOf(client)?.get(client, ref, 'messages');
  if (kept === undefined) return undefined;
  const from = Math.max(asked, kept.first);
  return { ...kept, from, messages: kept.messages.slice(from - kept.first) };
}
