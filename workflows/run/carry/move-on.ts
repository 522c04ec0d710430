import { allHandlersFinished, isCancellation, makeContinueAsNewFunc, workflowInfo } from '@temporalio/workflow';
import type { ContinueReason } from '../../../agent/protocol/facts/fact';
import { CARRIED_BYTES } from '../../../agent/state/carried/carried';
import { jsonBytes } from '../../../agent/values/json';
import { Unreadable } from '../../../agent/values/unreadable';
import { afterTimer, follow } from '../../waits/wait';
import type { Run } from '../run';
import { isCancelled } from './cancel-ahead';
import { carry } from './carry';
import { packFacts } from './pack-facts';

/** Messages after which a run that waits looks at its history. Each of them adds up to five events. */
const MESSAGES = 32;
/** Milliseconds of the timer after which it may look: servers fire timers by the second. */
const PAUSE = 1000;

/** Microtasks in which a handler with a verdict ends: about ten. A handler that waits for a check does not. */
const HANDLER_STEPS = 50;

/** Call it when the run has passed its state on. */
const moved = new WeakMap<Run, () => void>();

/**
 * The life of a run in this history: to its end, or until it goes on in a new history.
 * @throws ContinueAsNew
 */
export async function untilItMoves<Result>(run: Run, life: () => Promise<Result>): Promise<Result> {
  // Not a `Trigger`: a cancel would reject it, and the run would end at once, without its ending.
  const passedOn = new Promise<void>((resolve) => moved.set(run, resolve));
  watch(run).catch(unlessCancelled);
  const lived = life();
  const ended = await Promise.race([lived.then((result) => ({ result })), passedOn]);
  if (ended !== undefined) return ended.result;
  const { carried, facts, state } = run;
  const left = packFacts({ chainId: state.chainId, facts }, CARRIED_BYTES.all - jsonBytes(carried));
  const given = left === undefined ? [carried] : [carried, left];
  await makeContinueAsNewFunc<(...args: unknown[]) => Promise<Result>>(options())(...given);
  return lived;
}

/**
 * Call it where a command always follows. Where the run goes on in a new history, it never returns. `undefined` where it
 * stays in this one: each promise costs a stack trace.
 */
export function moveOnIfDue(run: Run): Promise<void> | undefined {
  const why = whyDue(run);
  return why === undefined ? undefined : moveOn(run, why);
}

async function moveOn(run: Run, why: ContinueReason): Promise<void> {
  await endOfHandlers();
  if (pass(run, why)) await new Promise<never>(() => undefined);
}

/** The message that woke the run up has its verdict: its handler ends within some steps, in the same activation. */
async function endOfHandlers(): Promise<void> {
  for (let step = 0; step < HANDLER_STEPS && !allHandlersFinished(); step++) await Promise.resolve();
}

/**
 * Looks at the history of a run that waits, after some messages or when a person asks. Only after a timer fired: all
 * messages of a workflow task are taken by then, and a replay finds the task where it was.
 */
async function watch(run: Run): Promise<void> {
  for (let after = MESSAGES; ; after = run.messages + MESSAGES) {
    await follow(() => run.messages >= after || run.nudged);
    const asked = run.nudged;
    const summary = asked ? 'a person asked for a new history' : 'looks at the size of the history';
    const passed = await afterTimer(run, { ms: PAUSE, summary }, () => {
      const why = asked ? 'asked' : whyDue(run);
      return why !== undefined && run.state.phase.at !== 'starting' && waits(run) && pass(run, why);
    });
    if (passed) return;
    // It goes on at its next turn boundary.
    if (asked) {
      run.nudged = false;
      run.asked = true;
    }
  }
}

/** A run that is cancelled goes on nowhere. Unhandled, the rejection would fail the workflow task forever. */
function unlessCancelled(error: unknown): void {
  if (!isCancellation(error)) throw error;
}

/** Whether nothing but a message, or the time, lets the run go on. */
function waits({ state }: Run): boolean {
  const { phase, inbox, closing, compaction } = state;
  if (state.batch.length > 0) return true;
  return phase.at === 'idle' && inbox.length === 0 && closing === undefined && compaction?.asked === undefined;
}

/** Why the run should go on in a new history. The server's suggestions belong to the workflow task. */
function whyDue(run: Run): ContinueReason | undefined {
  if (run.asked) return 'asked';
  const { targetWorkerDeploymentVersionChanged, continueAsNewSuggested, suggestedContinueAsNewReasons } =
    workflowInfo();
  if (targetWorkerDeploymentVersionChanged) return 'deployment';
  if (!continueAsNewSuggested) return undefined;
  // Older servers give no reason.
  const isForSize = suggestedContinueAsNewReasons?.join() === 'HISTORY_SIZE_TOO_LARGE';
  return isForSize && !hasGrown(run) ? undefined : 'history';
}

/**
 * A history that began large is too large from its start. It has to become longer before the next one pays: each
 * message is in a history about twice, in its command and in the call of the model.
 */
function hasGrown({ state, index, began }: Run): boolean {
  const { messages, epoch, chain } = state;
  return 2 * index.bytes(messages, epoch, chain.at(-1)?.messages ?? 0) >= began;
}

/** Passes the state on, if it can be: true. Otherwise the run tries again later. */
function pass(run: Run, why: ContinueReason): boolean {
  // The next run would not know of the cancel request. A handler in progress belongs to this run.
  if (isCancelled() || !allHandlersFinished() || run.undoing.length > 0) return false;
  const { runId, cronSchedule } = workflowInfo();
  // The SDK cannot pass the schedule on: the run would be the last one of it.
  if (cronSchedule) return false;
  const about = { runId, updates: run.updates, inFlight: [...run.inFlight], why };
  let verdict = carry(run.state, about);
  if (verdict.type === 'trim') {
    run.apply({ type: 'outgrown', from: verdict.from });
    verdict = carry(run.state, about);
  }
  if (verdict.type !== 'carried') return false;
  for (const fact of verdict.facts) run.apply({ type: 'passingOn', fact });
  run.carried = verdict.carried;
  moved.get(run)?.();
  return true;
}

/**
 * The server passes on the memo of the start only: not the title that a person gave the run since. A run that is pinned to
 * a version of its workers goes to the version that is current.
 */
function options(): Parameters<typeof makeContinueAsNewFunc>[0] {
  const { memo = {}, targetWorkerDeploymentVersionChanged } = workflowInfo();
  // Anyone may have started the run, with a memo that cannot be read.
  const kept = Object.entries(memo).filter(([, value]) => !(value instanceof Unreadable));
  return {
    memo: Object.fromEntries(kept),
    ...(targetWorkerDeploymentVersionChanged ? { initialVersioningBehavior: 'AUTO_UPGRADE' } : {}),
  };
}
