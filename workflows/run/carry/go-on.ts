import { CancellationScope, isCancellation, workflowInfo } from '@temporalio/workflow';
import { HoldfastError } from '../../../agent/errors/error';
import { START_ATTEMPT } from '../../../agent/limits';
import { ACTIVITY, type Pinned, type ReadAgainInput, type ReadAgainResult } from '../../../agent/protocol/activities';
import type { PinnedMessage } from '../../../agent/protocol/queries';
import type { RunInput } from '../../../agent/protocol/run';
import type { CarriedRun } from '../../../agent/state/carried/carried';
import { jsonBytes } from '../../../agent/values/json';
import { alreadyListed, publish } from '../../view/visibility';
import { archiveHistory } from '../archive';
import { lineageInMemo } from '../lineage';
import type { Run } from '../run';
import { UNTIL_IT_DECIDES } from '../scheduling/activity';
import { runPatiently } from '../scheduling/patient-activity';
import { leaveNewerDecisions } from './newer-decisions';
import { phaseOf, pinnedAgain } from './resume';

/**
 * Goes on where the Temporal run before this one left off: reads again what is too large to be carried. A cancel waits
 * for it: without its agent and its input the run could neither settle its calls nor tell its caller.
 */
export async function goOn(run: Run, carried: CarriedRun): Promise<void> {
  alreadyListed(run, phaseOf(carried));
  const { answer, runId, transcript } = carried;
  const want: Pinned[] = ['manifest', 'context', 'input'];
  if (answer !== undefined && answer.data === undefined) want.push('answer');
  const { manifest, context, input, ...more } = await CancellationScope.nonCancellable(() =>
    readAgain(run, { runId, want, messages: transcript.large ?? [] }),
  );
  if (manifest === undefined || context === undefined || input === undefined) {
    throw new HoldfastError('InvalidCarriedState', { problem: `the run ${runId} has not pinned its agent` });
  }
  leaveNewerDecisions(manifest);
  const fields = pinnedAgain(carried, { manifest, context, input, ...lineageInMemo() }, more);
  run.apply({ type: 'continued', fields });
  run.began = jsonBytes(carried) + jsonBytes({ manifest, context, input, ...more });
  // What waited until now may have ended a wait that lists of runs still show.
  publish(run);
  void archiveHistory(run, workflowInfo().continuedFromExecutionRunId);
}

/**
 * What the first run of the chain was started with, which the run `runId` knows; or else `writer`, where that run ended
 * before it could read it.
 */
export async function inputAgain(run: Run, runId: string, writer: string): Promise<RunInput> {
  const { input } = await readAgain(run, { runId, want: ['input'] }).catch((error: unknown) => {
    if (isCancellation(error)) throw error;
    return readAgain(run, { runId: writer, want: ['input'] });
  });
  if (input === undefined) {
    throw new HoldfastError('InvalidCarriedState', { problem: `the input was not read from the run ${runId}` });
  }
  return input;
}

/** One activity reads all of it where it fits into one payload. */
async function readAgain(run: Run, { runId, want, messages = [] }: ReadAgainInput): Promise<ReadAgainResult> {
  let read: ReadAgainResult = {};
  const known: PinnedMessage[] = [];
  let left = want;
  let unread = messages;
  while (left.length + unread.length > 0) {
    const input: ReadAgainInput = { runId, want: left, ...(unread.length === 0 ? {} : { messages: unread }) };
    const found = await runPatiently<ReadAgainResult>(ACTIVITY.readAgain, input, {
      retry: UNTIL_IT_DECIDES,
      startToCloseTimeout: START_ATTEMPT,
      heartbeatTimeout: 10_000,
      bytes: run.bytes,
      summary: 'continue: read what the run before has pinned',
    });
    read = { ...read, ...found };
    known.push(...(found.messages ?? []));
    left = left.filter((what) => found[what] === undefined);
    unread = unread.filter((index) => !known.some((one) => one.index === index));
    // The worker finds all or fails.
    if (Object.keys(found).length === 0) break;
  }
  return { ...read, messages: known };
}
