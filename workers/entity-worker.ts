import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { APPROVALS } from '../agent/protocol/entities/approvals';
import { workflowBundle } from './bundle/bundle';
import { computeTimeout } from './options/compute-timeout';
import { workflowTasks } from './options/workflow-tasks';

/** Workflows that are kept in memory: there is one for each agent with remembered decisions. */
const CACHED = 50;

/** Where it works. Workers that share a connection and a namespace have the same codecs. */
interface Place {
  connection: NativeConnection;
  namespace: string;
  dataConverter: NonNullable<WorkerOptions['dataConverter']>;
  debugMode?: boolean;
}

interface Shared {
  worker: Promise<Worker>;
  ended: Promise<void>;
  users: number;
}

/** A connection may have one worker per task queue: the workers of a process with the same connection share it. */
const shared = new WeakMap<NativeConnection, Map<string, Shared>>();

/**
 * Serves workflows that belong to no run and no task queue of the user: the remembered decisions of agents, and the leases of
 * models with limits. Every
 * worker of the namespace has the same bundle, so each can; no activities run there. `failed` is called if it ends
 * unexpectedly; `leave` then throws the reason.
 */
export function serveEntities(place: Place, failed: () => void) {
  const joined = join(place);
  joined.then(({ ended }) => ended).catch(failed);
  return {
    async leave(): Promise<void> {
      const entities = await joined;
      entities.users--;
      if (entities.users > 0) return;
      const worker = await entities.worker;
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await entities.ended;
    },
  };
}

async function join(place: Place): Promise<Shared> {
  const { connection, namespace } = place;
  const all = shared.get(connection) ?? new Map<string, Shared>();
  shared.set(connection, all);
  // The last user has just left: the next one can start when it has ended.
  for (let last = all.get(namespace); last?.users === 0; last = all.get(namespace)) await last.ended.catch(() => {});
  const entities = all.get(namespace) ?? begin(place, () => all.delete(namespace));
  all.set(namespace, entities);
  entities.users++;
  return entities;
}

function begin(place: Place, ended: () => void): Shared {
  const worker = createEntityWorker(place);
  return { worker, ended: worker.then((created) => created.run()).finally(ended), users: 0 };
}

async function createEntityWorker(place: Place): Promise<Worker> {
  return Worker.create({
    ...place,
    taskQueue: APPROVALS.taskQueue,
    workflowBundle: await workflowBundle(),
    maxCachedWorkflows: CACHED,
    // One for its own sticky queue, one for what other workers leave.
    maxConcurrentWorkflowTaskPolls: 2,
    ...workflowTasks({ maxCachedWorkflows: CACHED }),
    ...computeTimeout(place.debugMode),
  });
}
