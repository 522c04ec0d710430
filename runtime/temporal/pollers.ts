import { hostname } from 'node:os';
import type { ConnectionLike } from '@temporalio/client';

const WORKFLOW_QUEUE = 1;
/** A poll takes up to 60 s and is dated by its start: a worker without a newer poll is gone, though still listed. */
const GONE_AFTER = 75_000;

/** Identities of the workers that poll a task queue for workflows, without those of this machine that have ended. */
export async function pollers(
  { workflowService }: Pick<ConnectionLike, 'workflowService'>,
  namespace: string,
  taskQueue: string,
): Promise<string[]> {
  const answer = await workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOW_QUEUE,
  });
  return (answer.pollers ?? [])
    .filter(({ lastAccessTime }) => Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1000 < GONE_AFTER)
    .map(({ identity }) => identity ?? '')
    .filter((identity) => !hasEnded(identity));
}

/** Begins with process and host, like that of every Temporal worker: `4711@host`, then what Holdfast adds. */
const IDENTITY = /^(\d+)@([^/]+)/;

/** The server lists a worker for a minute after its end; for workers of this machine we can check. */
export function hasEnded(identity: string): boolean {
  const [, pid, host] = IDENTITY.exec(identity) ?? [];
  if (pid === undefined || host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
