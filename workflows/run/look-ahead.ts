import type { ActivateInput, WorkflowInterceptors } from '@temporalio/workflow';
import { QUERY_AGAIN } from '../../agent/protocol/activities';

type Activation = ActivateInput['activation'];

/** Name that core (1.24) gives to a query that came in a separate task instead of a workflow task. */
const OWN_TASK = 'legacy_query';

/**
 * Refuses to act on events that no workflow task has delivered yet. To answer a query about a run that a worker does
 * not have in its cache, the SDK's core (1.24) replays all of history, including events after the last task that has
 * begun and events of a task that has begun elsewhere and may never be completed. The reaction of the workflow to them
 * would come before the updates and signals of the next task, and on a replay after them: such a run is stuck forever.
 * So the query fails, the run leaves the cache, and by the next query the task is known.
 */
export function interceptors(): WorkflowInterceptors {
  let last: Activation | undefined;
  /** Tasks that ran since the last one whose completion is in history; `undefined`: nothing was replayed so far. */
  let tasks: number | undefined;
  return {
    internals: [
      {
        activate(input, next) {
          const { activation } = input;
          const isAsked = isOwnTask(activation);
          if ((last !== undefined && isAhead(activation, last)) || (isAsked && tasks === 1)) {
            throw new Error(QUERY_AGAIN);
          }
          tasks = tasksAfter(activation, tasks, last);
          last = activation;
          next(input);
        },
      },
    ],
  };
}

/** Each task has its own time: a history that has grown while the time stayed the same is ahead of the tasks. */
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
 * Only for the first task after a replay is it unknown whether it belongs to this worker or comes from a query. After
 * it a query has to be repeated, to a run that is replayed with the outcome of the task. One task may come in several
 * activations: what is cancelled without waiting is known to be cancelled at once.
 */
function tasksAfter(activation: Activation, tasks: number | undefined, last: Activation | undefined) {
  const { isReplaying, jobs } = activation;
  if (jobs?.every(({ queryWorkflow }) => queryWorkflow != null)) return tasks;
  if (isReplaying === true) return 0;
  const goesOn = last?.isReplaying !== true && last !== undefined && isSameTime(activation, last);
  return tasks === undefined || goesOn ? tasks : tasks + 1;
}
