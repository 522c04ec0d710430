import type { Client } from '@temporalio/client';
import { GrantBook, type GrantBookState } from '../../agent/approvals/grant-book';
import { GRANT_CHANGES } from '../../agent/approvals/grant-messages';
import { HoldfastError } from '../../agent/errors/error';
import { APPROVALS } from '../../agent/protocol/entities/approvals';
import { defined } from '../../agent/values/defined';
import { isJsonObject } from '../../agent/values/json';
import { readable } from '../../agent/values/unreadable';
import { readPayloads } from '../payloads/read-payloads';

type Page = Awaited<ReturnType<Client['workflowService']['getWorkflowExecutionHistory']>>;
type HistoryEvent = NonNullable<NonNullable<Page['history']>['events']>[number];
type Payloads = Parameters<typeof readPayloads>[1];

/** Events per page. The client accepts 4 MiB at once. */
const PAGE = 50;

/** Identifies one run of an agent's book. */
export interface BookRun {
  agent: string;
  runId: string;
}

/**
 * The remembered decisions in the history of one run of their workflow: its input, and the messages that it received
 * since. It needs no worker, so it also works if no worker serves the workflow, or the workflow has ended.
 * @throws UnknownBook if a newer version of this package wrote it
 */
export async function readBook(client: Client, run: BookRun): Promise<GrantBook> {
  let book = new GrantBook();
  for await (const event of historyOf(client, run)) {
    const started = event.workflowExecutionStartedEventAttributes;
    if (started) {
      const [given] = await readPayloads(client, started.input?.payloads);
      readable(given, 'the book');
      book = new GrantBook(isJsonObject(given) ? (given.book as GrantBookState | undefined) : undefined);
      continue;
    }
    const { name, input } = messageIn(event) ?? {};
    if (typeof name !== 'string' || !Object.hasOwn(GRANT_CHANGES, name)) continue;
    const now = Number(event.eventTime?.seconds ?? 0) * 1000 + 1000;
    take(book, name, await readPayloads(client, input).catch(() => []), now);
  }
  return book;
}

/** A signal or an accepted update. */
function messageIn(event: HistoryEvent): { name?: string | null | undefined; input: Payloads } | undefined {
  const signal = event.workflowExecutionSignaledEventAttributes;
  if (signal) return { name: signal.signalName, input: signal.input?.payloads };
  const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input;
  return update ? { name: update.name, input: update.args?.payloads } : undefined;
}

/** The workflow ignores a message that is not a decision, and so does this. */
function take(book: GrantBook, name: string, [payload]: unknown[], now: number): void {
  try {
    GRANT_CHANGES[name]?.(book, payload, now)();
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
  }
}

async function* historyOf(client: Client, { agent, runId }: BookRun): AsyncGenerator<HistoryEvent> {
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await client.workflowService.getWorkflowExecutionHistory({
      namespace: client.options.namespace,
      execution: { workflowId: APPROVALS.idOf(agent), runId },
      maximumPageSize: PAGE,
      ...defined({ nextPageToken }),
    });
    yield* page.history?.events ?? [];
    nextPageToken = page.nextPageToken ?? undefined;
  } while (nextPageToken !== undefined && nextPageToken.length > 0);
}
