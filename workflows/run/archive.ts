import { CancellationScope, ParentClosePolicy, startChild, workflowInfo } from '@temporalio/workflow';
import { ARCHIVE, type HistoryRef } from '../../agent/protocol/entities/archive';
import type { Run } from './run';

/**
 * Has a history kept in the archive, by a workflow that outlives the run. Resolves when that workflow has started. It never
 * fails: where someone else already has the id, the history is kept or about to be.
 */
export async function archiveHistory({ state }: Run, runId: string | undefined): Promise<void> {
  if (state.manifest?.archives !== true || runId === undefined) return;
  const ref: HistoryRef = { id: state.id, runId };
  const start = () =>
    startChild(ARCHIVE.type, {
      workflowId: ARCHIVE.idOf(runId),
      args: [ref],
      parentClosePolicy: ParentClosePolicy.ABANDON,
    });
  await CancellationScope.nonCancellable(start).catch(() => undefined);
}

/** The history that this run has now. */
export function archiveOwnHistory(run: Run): Promise<void> {
  return archiveHistory(run, workflowInfo().runId);
}
