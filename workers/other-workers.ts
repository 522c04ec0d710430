import { hostname } from 'node:os';
import type { ConnectionLike } from '@temporalio/client';
import type { Log } from '../agent/define/context';
import { messageOf } from '../agent/errors/error';
import { hasEnded, pollers } from '../runtime/temporal/pollers';
import { parseIdentity } from './worker-identity';

/** What to do about workers with other agents, shared by the log and the doctor. */
export const OTHER_AGENTS =
  'finish the deploy that is in progress, or set another `temporal.taskQueue` for one of the projects: a call that reaches a ' +
  'worker without its agent or tool waits for one that has it, for a minute, and then fails';

/** The identities of workers with other agents or tools than `agents`, the hash of a worker's own. */
export function withOtherAgents(identities: readonly string[], agents: string): string[] {
  return identities.filter((identity) => {
    const worker = parseIdentity(identity);
    return worker !== undefined && worker.agents !== agents && !hasEnded(identity);
  });
}

interface PolledQueue {
  namespace: string;
  taskQueue: string;
  /** The hash of the worker's own agents. */
  agents: string;
  /** The process id of a worker on this machine that is about to end. */
  replaces?: number;
}

/** Warns if a worker with other agents or tools polls the same task queue. */
export async function warnOfOthers(
  connection: Pick<ConnectionLike, 'workflowService'>,
  { namespace, taskQueue, agents, replaces }: PolledQueue,
  log: Log,
): Promise<void> {
  try {
    const others = withOtherAgents(await pollers(connection, namespace, taskQueue), agents).filter(
      (identity) => !isReplaced(identity, replaces),
    );
    if (others.length === 0) return;
    const what = `Workers with other agents or tools poll the task queue \`${taskQueue}\`; ${OTHER_AGENTS}.`;
    log.warn({ taskQueue, workers: others }, what);
  } catch (error) {
    // Keys with limited rights may not be allowed to list pollers, and the time-skipping server cannot.
    log.debug({ taskQueue, problem: messageOf(error) }, 'It is not known which other workers poll the task queue.');
  }
}

function isReplaced(identity: string, replaces: number | undefined): boolean {
  const worker = parseIdentity(identity);
  return replaces !== undefined && worker?.pid === replaces && worker.host === hostname();
}
