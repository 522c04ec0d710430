import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  log,
  setCurrentDetails,
  setDefaultSignalHandler,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { APPROVALS } from '../agent/activities';
import type { Grant, OwnedGrant } from '../agent/approval';
import { HoldfastError } from '../agent/error';
import { isJsonObject } from '../agent/json';
import { checkGrants, checkRevoke, checkWanted } from './check-grants';
import { GrantBook, type GrantBookState } from './grant-book';
import { failureOf } from './run';
import { shortened } from './summaries';

/** What one run of the cache leaves to the next one; the first is started without. */
export interface ApprovalCacheInput {
  book?: GrantBookState;
  /** Signals that meant nothing. */
  ignored?: number;
  /** Messages after which a new run begins, for tests; by itself when the server suggests it. */
  messagesPerRun?: number;
}

/**
 * The remembered decisions of one agent, for all its runs and for ever. A plain error here is no failure of the workflow:
 * the task is tried again until a better worker comes, and nothing that was decided is lost.
 */
export async function approvalCache(given?: ApprovalCacheInput): Promise<void> {
  const { book: carried, ignored = 0, messagesPerRun } = isJsonObject(given) ? (given as ApprovalCacheInput) : {};
  const cache: Cache = { book: new GrantBook(carried?.version === 1 ? carried : undefined), ignored, messages: 0 };
  answerQueries(cache);
  takeSignals(cache);
  takeUpdates(cache);
  showStatus(cache);

  const full = () => workflowInfo().continueAsNewSuggested || cache.messages >= (messagesPerRun ?? Infinity);
  await condition(full);
  await condition(allHandlersFinished);
  await continueAsNew<typeof approvalCache>({
    book: cache.book.state(),
    ignored: cache.ignored,
    ...(messagesPerRun === undefined ? {} : { messagesPerRun }),
  });
}

interface Cache {
  book: GrantBook;
  ignored: number;
  messages: number;
}

function answerQueries({ book }: Cache): void {
  setHandler(defineQuery<(Grant | null)[], [unknown]>(APPROVALS.get), (payload) => {
    const { owner, wanted } = checkWanted(payload);
    return wanted.map(({ tool, key }) => book.find(owner, tool, key));
  });
  setHandler(defineQuery<OwnedGrant[]>(APPROVALS.list), () => book.list());
}

/** What can be asked of the cache, by name. Each throws for what it does not understand, or gives the change. */
const CHANGES: { readonly [name: string]: (book: GrantBook, payload: unknown) => () => number } = {
  [APPROVALS.set]: (book, payload) => {
    const { owner, grants } = checkGrants(payload, Date.now());
    return () => book.set(owner, grants);
  },
  [APPROVALS.revoke]: (book, payload) => {
    const which = checkRevoke(payload);
    return () => book.revoke(which);
  },
};

/** A signal that means nothing is counted. */
function takeSignals(cache: Cache): void {
  const take = (name: string, payload: unknown) => {
    const understand = Object.hasOwn(CHANGES, name) ? CHANGES[name] : undefined;
    if (understand === undefined) return ignore(cache, `There is no signal \`${name}\`.`);
    const refusal = refusalOf(() => understand(cache.book, payload));
    if (refusal !== undefined) return ignore(cache, refusal.message);
    change(cache, understand(cache.book, payload));
  };
  // First, and for all names: what came before this task is handed out here in its order, and not name by name.
  setDefaultSignalHandler(take);
  for (const name of Object.keys(CHANGES)) {
    setHandler(defineSignal<[unknown]>(name), (payload) => take(name, payload));
  }
}

/** A wrong update is refused. */
function takeUpdates(cache: Cache): void {
  for (const [name, understand] of Object.entries(CHANGES)) {
    setHandler(defineUpdate<number, [unknown]>(name), (payload) => change(cache, understand(cache.book, payload)), {
      validator(payload) {
        const refusal = refusalOf(() => understand(cache.book, payload));
        if (refusal !== undefined) throw failureOf(refusal);
      },
    });
  }
}

function change(cache: Cache, make: () => number): number {
  const changed = make();
  cache.messages++;
  showStatus(cache);
  return changed;
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
  cache.messages++;
  log.warn('A signal was ignored', { problem });
  showStatus(cache);
}

/** The page of the cache for people who look at it in the Web UI. */
function showStatus({ book, ignored }: Cache): void {
  const agent = workflowInfo().workflowId.slice(APPROVALS.idOf('').length);
  const decisions = book.size === 1 ? 'one decision' : `${book.size} decisions`;
  const lines = [
    `\`${shortened(agent.replaceAll('`', "'"), 200) || ' '}\` remembers ${decisions} on its calls.`,
    ...(ignored === 0 ? [] : ['', `Ignored signals: ${ignored}.`]),
    '',
    `Look closer: the query \`${APPROVALS.list}\`. Forget one: the update or signal \`${APPROVALS.revoke}\` with \`{"owner": …, "tool": …, "key": …}\`.`,
  ];
  setCurrentDetails(lines.join('\n'));
}
