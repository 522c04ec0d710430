import { ApplicationFailure, Context } from '@temporalio/activity';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Message } from '../../agent/model/message';
import { STORAGE } from '../../agent/protocol/calls/storage-failures';
import {
  type ArchivedEnd,
  type ArchivedFacts,
  type ArchivedMessages,
  ASKED_AT_END,
  askedAs,
  type HistoryRef,
} from '../../agent/protocol/entities/archive';
import type { Fact, FactPage } from '../../agent/protocol/facts/fact';
import { QUERY, type TranscriptPage } from '../../agent/protocol/queries';
import { leftFacts } from '../../runtime/chain/left-facts';
import { archiveOf } from '../../runtime/storage/archiving-storage';
import { interruptible } from '../heartbeat';
import { queryHistory } from './query-run';

/** Milliseconds after which a history is looked at again that is about to end. */
const SOON = 1000;

/**
 * `holdfast.archive`: keeps the facts and the messages of a history that has ended. Returns false if the server has no such
 * history, and nothing is kept: it was deleted.
 */
export function archiveHistory(ref: HistoryRef): Promise<boolean> {
  return interruptible(async () => {
    const { client } = Context.current();
    const archive = archiveOf(client);
    if (archive === undefined) {
      const problem =
        'This worker has no `storage` with `archive: true` in temporal.yaml: give all workers the same one';
      throw ApplicationFailure.retryable(problem, STORAGE.written);
    }
    const closed = await closingOf(client, ref);
    if (closed === undefined) return false;
    if (closed === 'open') {
      throw ApplicationFailure.create({ message: 'The history has not ended yet', nextRetryDelay: SOON });
    }
    const facts = await readFacts(client, ref);
    await archive.put(client, ref, 'facts', facts);
    await archive.put(client, ref, 'messages', await readMessages(ref));
    if (facts.ended) await archive.putEnd(client, ref, closed, await readEnd(ref));
    // Who deleted the run meanwhile deleted what was kept before.
    if ((await closingOf(client, ref)) !== undefined) return true;
    await archive.remove(client, ref.id);
    return false;
  });
}

/** When a history was closed. `undefined`: the server does not have it. */
async function closingOf(client: Client, { id, runId }: HistoryRef): Promise<Date | 'open' | undefined> {
  try {
    return (await client.workflow.getHandle(id, runId).describe()).closeTime ?? 'open';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

async function readFacts(client: Client, ref: HistoryRef): Promise<ArchivedFacts> {
  const left = await leftFacts(client, ref.id, ref.runId);
  if (left !== undefined) return { chainId: left.chainId, facts: left.facts, ended: false };
  const facts: Fact[] = [];
  // The first page without a limit from below names the histories before; the second begins with the first fact here.
  let page = await queryHistory<FactPage>(ref, QUERY.facts, 0);
  let after = page.firstSeq - 1;
  do {
    page = await queryHistory<FactPage>(ref, QUERY.facts, after);
    facts.push(...page.facts);
    after = facts.at(-1)?.seq ?? page.last;
    Context.current().heartbeat();
  } while (after < page.last && page.facts.length > 0);
  return { chainId: page.chainId, facts, ended: page.ended };
}

async function readMessages(ref: HistoryRef): Promise<ArchivedMessages> {
  const messages: Message[] = [];
  let page = await queryHistory<TranscriptPage>(ref, QUERY.transcript, 0);
  const { first, epoch, length } = page;
  while (page.messages.length > 0) {
    messages.push(...page.messages);
    Context.current().heartbeat();
    if (first + messages.length >= length) break;
    page = await queryHistory<TranscriptPage>(ref, QUERY.transcript, first + messages.length);
  }
  return { epoch, first, length, messages };
}

async function readEnd(ref: HistoryRef): Promise<ArchivedEnd> {
  const answers: { [asked: string]: unknown } = {};
  for (const [name, argument] of ASKED_AT_END) {
    answers[askedAs(name, argument)] = await queryHistory<unknown>(ref, name, argument);
    Context.current().heartbeat();
  }
  return { runId: ref.runId, answers };
}
