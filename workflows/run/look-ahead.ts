import type { ActivateInput, WorkflowInterceptors } from '@temporalio/workflow';

type Activation = ActivateInput['activation'];

/** What core (1.24) names a query that a task of its own has brought, and not a workflow task. */
const OWN_TASK = 'legacy_query';

/**
 * Refuses to act on events that no workflow task has brought yet. A worker that is asked a query about a run which it does
 * not know is shown all of history by the SDK's core (1.24), also what came after the last task that has begun, and what
 * brought a task that has begun elsewhere and may never be completed. What the workflow did about that would stand before the
 * updates and signals of the next task, and on a replay after them: such a run is stuck for ever. The query fails, the run is
 * forgotten, and the next one to be asked knows the task as well.
 */
export function interceptors(): WorkflowInterceptors {
  let last: Activation | undefined;
  /** Tasks that were played since the last one that history has the end of; `undefined`: nothing was replayed so far. */
  let tasks: number | undefined;
  return {
    internals: [
      {
        activate(input, next) {
          const { activation } = input;
          const isAsked = isOwnTask(activation);
          if ((last !== undefined && isAhead(activation, last)) || (isAsked && tasks === 1)) {
            throw new Error('Something has happened to the run that it has not looked at yet: ask again');
          }
          last = activation;
          tasks = tasksAfter(activation, tasks);
          next(input);
        },
      },
    ],
  };
}

/** Each task has a time of its own: a history that has grown while the time has not is ahead of the tasks. */
function isAhead({ isReplaying, historyLength, timestamp }: Activation, last: Activation): boolean {
  const sameTime =
    String(timestamp?.seconds) === String(last.timestamp?.seconds) && timestamp?.nanos === last.timestamp?.nanos;
  return isReplaying !== true && sameTime && Number(historyLength) > Number(last.historyLength);
}

function isOwnTask({ jobs }: Activation): boolean {
  return jobs?.some(({ queryWorkflow }) => queryWorkflow?.queryId === OWN_TASK) === true;
}

/**
 * The first task after a replay is the only one of which it is not known whether it is a task of this worker, or what a query
 * has brought: after it a query has to come again, to a run that is replayed with what became of it.
 */
function tasksAfter({ isReplaying, jobs }: Activation, tasks: number | undefined): number | undefined {
  if (jobs?.every(({ queryWorkflow }) => queryWorkflow != null)) return tasks;
  if (isReplaying === true) return 0;
  return tasks === undefined ? undefined : tasks + 1;
}
