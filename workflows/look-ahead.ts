import type { ActivateInput, WorkflowInterceptors } from '@temporalio/workflow';

type Activation = ActivateInput['activation'];

/**
 * Refuses to act on events that no workflow task has brought yet. A worker that is asked a query about a run which it does
 * not know is shown all of history by the SDK's core (1.24), also what came after the last task that has begun. What the
 * workflow did about that would stand before the updates of the next task, and on a replay after them: such a run is stuck for
 * ever. The query fails, the run is forgotten, and the next one to be asked knows the task as well.
 */
export function interceptors(): WorkflowInterceptors {
  let last: Activation | undefined;
  return {
    internals: [
      {
        activate(input, next) {
          const { activation } = input;
          if (last !== undefined && isAhead(activation, last)) {
            throw new Error('Something has happened to the run that it has not looked at yet: ask again');
          }
          last = activation;
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
