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
          tasks = tasksAfter(activation, tasks, last);
          last = activation;
          next(input);
        },
      },
    ],
  };
}

/** Each task has a time of its own: a history that has grown while the time has not is ahead of the tasks. */
function isAhead(activation: Activation, last: Activation): boolean {
  const { isReplaying, historyLength } = activation;
  return isReplaying !== true && isSameTime(activation, last) && Number(historyLength) > Number(last.historyLength);
}

function isSameTime({ timestamp }: Activation, { timestamp: other }: Activation): boolean {
  return String(timestamp?.seconds) === String(other?.seconds) && timestamp?.nanos === other?.nanos;
}

function isOwnTask({ jobs }: Activation): boolean {
  return jobs?.some(({ queryWorkflow }) => queryWorkflow?.queryId === OWN_TASK) === true;
}

/**
 * The first task after a replay is the only one of which it is not known whether it is a task of this worker, or what a query
 * has brought: after it a query has to come again, to a run that is replayed with what became of it. A task may come in several
 * activations: what is cancelled without waiting for it is known to be so at once.
 */
function tasksAfter(activation: Activation, tasks: number | undefined, last: Activation | undefined) {
  const { isReplaying, jobs } = activation;
  if (jobs?.every(({ queryWorkflow }) => queryWorkflow != null)) return tasks;
  if (isReplaying === true) return 0;
  const goesOn = last?.isReplaying !== true && last !== undefined && isSameTime(activation, last);
  return tasks === undefined || goesOn ? tasks : tasks + 1;
}
