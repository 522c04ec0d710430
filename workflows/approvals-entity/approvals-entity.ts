import {
  allHandlersFinished,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  log,
  makeContinueAsNewFunc,
  setDefaultSignalHandler,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Grant, OwnedGrant } from '../../agent/approvals/approval';
import { checkWanted } from '../../agent/approvals/check-grants';
import { GrantBook, type GrantBookState } from '../../agent/approvals/grant-book';
import { GRANT_CHANGES } from '../../agent/approvals/grant-messages';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import { APPROVALS } from '../../agent/protocol/entities/approvals';
import { defined } from '../../agent/values/defined';
import { isJsonObject, jsonBytes } from '../../agent/values/json';
import { shorten } from '../../agent/values/shorten';
import { readable, Unreadable } from '../../agent/values/unreadable';
import { failureOf, orFailure } from '../run/failures';
import { showPage } from '../view/live-page';

/** What one run of the cache passes to the next one. The first run starts without it. */
export interface ApprovalCacheInput {
  book?: GrantBookState;
  /** Number of signals that were ignored. */
  ignored?: number;
  /** Messages after which a new run begins, for tests. Default: {@link MAX_HERE}. */
  messagesPerRun?: number;
}

interface Size {
  messages: number;
  updates: number;
  bytes: number;
}

/**
 * What one run takes before a new one begins. The run counts for itself and does not use the server's suggestion:
 * whether that is set when a message arrives depends on where a workflow task began. The server refuses the 2,001st
 * update of a run.
 */
const MAX_HERE: Size = { messages: 1000, updates: 1000, bytes: 2 * 1024 * 1024 };
/**
 * The same for runs of earlier versions, which followed the suggestion and are replayed. The server suggests it at
 * 4,096 events, 4 MB or 1,800 updates, so none of those runs is this large.
 */
const MAX_ELSEWHERE: Size = { messages: 4096, updates: 1900, bytes: 4 * 1024 * 1024 };

/**
 * The remembered decisions of one agent, for all its runs and without a time limit. A plain error here does not fail
 * the workflow: the task is retried until a worker that can run it comes, and no decision is lost.
 */
export async function approvalCache(given?: ApprovalCacheInput): Promise<void> {
  const { ignored = 0, messagesPerRun } = isJsonObject(given) ? (given as ApprovalCacheInput) : {};
  const cache: Cache = { book: carriedBy(given), ignored, taken: { messages: 0, updates: 0, bytes: 0 } };
  answerQueries(cache);
  takeSignals(cache);
  takeUpdates(cache);
  showPage(() => pageOf(cache));

  const limit = workflowInfo().taskQueue === APPROVALS.taskQueue ? MAX_HERE : MAX_ELSEWHERE;
  const max: Size = { ...limit, messages: messagesPerRun ?? limit.messages };
  const { taken } = cache;
  await condition(() => taken.messages >= max.messages || taken.updates >= max.updates || taken.bytes >= max.bytes);
  await condition(allHandlersFinished);
  // Regardless of the queue it began on: every worker serves this one.
  const again = makeContinueAsNewFunc<typeof approvalCache>({ taskQueue: APPROVALS.taskQueue });
  await again({
    book: cache.book.state(),
    ignored: cache.ignored,
    ...defined({ messagesPerRun }),
  });
}

/** Without its decisions it does not start: after a forgotten denial, a call could run without approval. */
function carriedBy(given: ApprovalCacheInput | undefined): GrantBook {
  const { taskQueue, continuedFromExecutionRunId: before } = workflowInfo();
  try {
    // From the run before, or moved here from another task queue: wait for a worker that can read it.
    if (given instanceof Unreadable && (before !== undefined || taskQueue === APPROVALS.taskQueue)) {
      throw new Error(`The remembered decisions cannot be read: ${given.problem}`);
    }
    return new GrantBook(isJsonObject(given) ? (given as ApprovalCacheInput).book : undefined);
  } catch (error) {
    log.error(messageOf(error), { agent: agentOf() });
    throw error;
  }
}

interface Cache {
  book: GrantBook;
  ignored: number;
  taken: Size;
}

function answerQueries({ book }: Cache): void {
  setHandler(defineQuery<(Grant | null)[], [unknown]>(APPROVALS.get), (payload) => {
    const { owner, wanted } = orFailure(() => checkWanted(readable(payload, `the query \`${APPROVALS.get}\``)));
    return wanted.map(({ tool, key }) => book.find(owner, tool, key));
  });
  setHandler(defineQuery<OwnedGrant[]>(APPROVALS.list), () => book.list());
}

/** Counts signals that it cannot use. */
function takeSignals(cache: Cache): void {
  const take = (name: string, payload: unknown) => {
    count(cache, 'messages', payload);
    const understand = Object.hasOwn(GRANT_CHANGES, name) ? GRANT_CHANGES[name] : undefined;
    if (understand === undefined) return ignore(cache, `There is no signal \`${name}\`.`);
    const refusal = refusalOf(() => understand(cache.book, readable(payload, `the signal \`${name}\``), Date.now()));
    if (refusal !== undefined) return ignore(cache, refusal.message);
    understand(cache.book, payload, Date.now())();
  };
  // First, and for all names: signals from before this task are delivered here in their order, not grouped by name.
  setDefaultSignalHandler(take);
  for (const name of Object.keys(GRANT_CHANGES)) {
    setHandler(defineSignal<[unknown]>(name), (payload) => take(name, payload));
  }
}

/** Refuses invalid updates. */
function takeUpdates(cache: Cache): void {
  for (const [name, understand] of Object.entries(GRANT_CHANGES)) {
    const take = (payload: unknown) => {
      count(cache, 'updates', payload);
      return understand(cache.book, payload, Date.now())();
    };
    setHandler(defineUpdate<number, [unknown]>(name), take, {
      validator(payload) {
        const refusal = refusalOf(() =>
          understand(cache.book, readable(payload, `the update \`${name}\``), Date.now()),
        );
        if (refusal !== undefined) throw failureOf(refusal);
      },
    });
  }
}

function count({ taken }: Cache, what: 'messages' | 'updates', payload: unknown): void {
  taken.messages++;
  if (what === 'updates') taken.updates++;
  taken.bytes += jsonBytes(payload);
}

function refusalOf(check: () => unknown): HoldfastError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof HoldfastError) return error;
    throw error;
  }
}

function ignore(cache: Cache, problem: string): void {
  cache.ignored++;
  log.warn('A signal was ignored', { problem });
}

/** The page of the cache for people who look at it in the Web UI. */
function pageOf({ book, ignored }: Cache): string {
  const agent = agentOf();
  const decisions = book.size === 1 ? 'one decision' : `${book.size} decisions`;
  const lines = [
    `\`${shorten(agent.replaceAll('`', "'"), 200) || ' '}\` remembers ${decisions} on its calls.`,
    ...(ignored === 0 ? [] : ['', `Ignored signals: ${ignored}.`]),
    '',
    `Look closer: the query \`${APPROVALS.list}\`. Forget one: the update or signal \`${APPROVALS.revoke}\` with \`{"owner": …, "tool": …, "key": …}\`.`,
  ];
  return lines.join('\n');
}

function agentOf(): string {
  return workflowInfo().workflowId.slice(APPROVALS.idOf('').length);
}
