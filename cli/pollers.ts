import type { ConnectionLike } from '@temporalio/client';

const WORKFLOW_QUEUE = 1;
/** A poll takes up to 60 s and is dated by its start: who began none for longer is gone, though still listed. */
const GONE_AFTER = 75_000;

/** Identities of the workers that poll a task queue for workflows. */
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
    .map(({ identity }) => identity ?? '');
}
