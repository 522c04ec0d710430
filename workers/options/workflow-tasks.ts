import type { WorkerOptions } from '@temporalio/worker';
import { defined } from '../../agent/values/defined';

type Chosen = Pick<WorkerOptions, 'tuner' | 'workflowThreadPoolSize' | 'maxCachedWorkflows'>;

/**
 * Workflow tasks that a worker takes at once, for each thread that runs them. The time of a task (10 s) begins when a worker
 * takes it, and a thread advances all of its tasks in turn, so that they end together. Of 40 runs of 200 turns that a new worker
 * took over, with the SDK's 40 the first answered after 64 s, and every task was repeated from the beginning of its run; with ten,
 * after 4 s, and four were. Tasks that are not taken wait in the server, which costs it a tenth more CPU where fifty runs never pause.
 */
const PER_THREAD = 10;
/** The SDK requires two where runs are cached. */
const LEAST = 2;
/** After the death of a worker its sticky queue is abandoned after this number of milliseconds, instead of after 10 s. */
const STICKY_TIMEOUT = 2000;

/** How a worker takes workflow tasks, by default. A tuner of the user decides how many. */
export function workflowTasks({ tuner, workflowThreadPoolSize: threads = 1, maxCachedWorkflows: cached = 0 }: Chosen) {
  const most = PER_THREAD * threads;
  const slots = tuner !== undefined ? undefined : cached === 0 ? most : Math.max(LEAST, Math.min(most, cached));
  return {
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    ...defined({ maxConcurrentWorkflowTaskExecutions: slots }),
  };
}
