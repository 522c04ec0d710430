import {
  type ActivateInput,
  defaultPayloadConverter,
  type WorkflowInterceptors,
  workflowInfo,
} from '@temporalio/workflow';
import { type CompletedPart, QUERY_AGAIN } from '../../agent/protocol/queries';

type Activation = ActivateInput['activation'];

/** Name that core (1.24) gives to a query that came in a separate task instead of a workflow task. */
const OWN_TASK = 'legacy_query';

/** What the interceptor needs of the worker. */
export interface Worker {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that a workflow task of the run may take. */
  taskTimeout(): number;
}

const THIS_WORKER: Worker = {
  now: () => workflowInfo().unsafe.now(),
  taskTimeout: () => workflowInfo().taskTimeoutMs,
};

/**
 * Refuses to act on events that no workflow task has delivered yet. To answer a query about a run that a worker does
 * not have in its cache, the SDK's core (1.24) replays all of history, including events after the last task that has
 * begun and events of a task that has begun elsewhere and may never be completed. The reaction of the workflow to them
 * would come before the updates and signals of the next task, and on a replay after them: such a run is stuck forever.
 * So the query fails, the run leaves the cache, and by the next query the task is known. A query that says which tasks
 * are complete is answered.
 */
export function interceptors(worker = THIS_WORKER): WorkflowInterceptors {
  let last: Activation | undefined;
  /** Tasks that ran since the last one whose completion is in history; `undefined`: nothing was replayed so far. */
  let tasks: number | undefined;
  const isAhead = (activation: Activation): boolean => {
    if (last === undefined) return false;
    const query = ownQuery(activation);
    if (query === undefined) return hasGrown(activation, last);
    if (isComplete(activation, query)) return false;
    return tasks === 1 || (!isSameTime(activation, last) && mayBeInProgress(activation, worker));
  };
  return {
    internals: [
      {
        activate(input, next) {
          const { activation } = input;
          if (isAhead(activation)) throw new Error(QUERY_AGAIN);
          tasks = tasksAfter(activation, tasks, last);
          last = activation;
          next(input);
        },
      },
    ],
  };
}

/** Each task has its own time: a history that has grown while the time stayed the same is ahead of the tasks. */
function hasGrown(activation: Activation, last: Activation): boolean {
  const { isReplaying, historyLength } = activation;
  return isReplaying !== true && isSameTime(activation, last) && Number(historyLength) > Number(last.historyLength);
}

function isSameTime({ timestamp }: Activation, { timestamp: other }: Activation): boolean {
  return String(timestamp?.seconds) === String(other?.seconds) && timestamp?.nanos === other?.nanos;
}

type Query = NonNullable<NonNullable<NonNullable<Activation['jobs']>[number]>['queryWorkflow']>;

function ownQuery({ jobs }: Activation): Query | undefined {
  return jobs?.find(({ queryWorkflow }) => queryWorkflow?.queryId === OWN_TASK)?.queryWorkflow ?? undefined;
}

/** Whether the task that core played last is one of those that the query says are complete. */
function isComplete({ runId, historyLength }: Activation, query: Query): boolean {
  const part = completedPart(query);
  return part?.runId === runId && typeof part?.events === 'number' && Number(historyLength) <= part.events;
}

function completedPart({ arguments: given }: Query): Partial<CompletedPart> | null | undefined {
  try {
    return given?.[1] && defaultPayloadConverter.fromPayload<Partial<CompletedPart> | null>(given[1]);
  } catch {
    return undefined; // anyone may query a run: what cannot be read says nothing of its tasks
  }
}

/**
 * A task of which the workflow was shown nothing may be one of an update that has begun elsewhere: in the cache the run
 * would be past the place of the update. It may also be complete; then it is known to be after the longest time of a task.
 */
function mayBeInProgress({ timestamp }: Activation, { now, taskTimeout }: Worker): boolean {
  const began = Number(String(timestamp?.seconds)) * 1000 + Number(timestamp?.nanos) / 1e6;
  return Math.abs(now() - began) < taskTimeout();
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
