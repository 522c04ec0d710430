import type { WorkerInterceptors, WorkerOptions } from '@temporalio/worker';
import { HoldfastError } from '../../agent/errors/error';
import { type Known, type TemporalOptions, temporalOptions } from '../../runtime/temporal/options';

const TAKEN = [
  'tuner',
  'maxConcurrentActivityTaskExecutions',
  'maxConcurrentWorkflowTaskExecutions',
  'maxConcurrentActivityTaskPolls',
  'maxConcurrentWorkflowTaskPolls',
  'activityTaskPollerBehavior',
  'workflowTaskPollerBehavior',
  'nonStickyToStickyPollRatio',
  'maxActivitiesPerSecond',
  'maxTaskQueueActivitiesPerSecond',
  'maxCachedWorkflows',
  'workflowThreadPoolSize',
  'stickyQueueScheduleToStartTimeout',
  'nexusServices',
] as const satisfies (keyof WorkerOptions)[];

/**
 * Temporal's own options of a worker: payload codecs, interceptors of activities and of their client, a tuner, and
 * limits, which override those of temporal.yaml.
 */
export interface WorkerTemporalOptions extends TemporalOptions, Pick<WorkerOptions, (typeof TAKEN)[number]> {
  /** Interceptors of activities, of the client that activities have, and of Nexus handlers. */
  interceptors?: Pick<WorkerInterceptors, 'activity' | 'client' | 'nexus'>;
}

const IN_YAML = 'use the setting of temporal.yaml:';
const PREBUILT = 'the workflow bundle is prebuilt and contains no code of yours';
const KNOWN: Known = {
  taken: [...TAKEN, 'interceptors.activity', 'interceptors.client', 'interceptors.nexus'],
  refused: {
    'interceptors.workflow': PREBUILT,
    workflowsPath: PREBUILT,
    workflowBundle: PREBUILT,
    bundlerOptions: PREBUILT,
    activities: 'the activities are those of Holdfast; put your code into tools',
    sinks: 'workflows use only the sinks of Holdfast',
    identity: 'it tells workers with different agents apart',
    connection: 'use the option `connection` of `createWorker`',
    taskQueue: 'use the option `taskQueue` of `createWorker`',
    debugMode: 'use the option `debugMode` of `createWorker`',
    workerDeploymentOptions: 'use the option `deployment` of `createWorker`',
    buildId: 'use the option `deployment` of `createWorker`',
    useVersioning: 'use the option `deployment` of `createWorker`',
    namespace: `${IN_YAML} \`temporal.namespace\``,
    shutdownGraceTime: `${IN_YAML} \`worker.shutdownGrace\``,
    maxHeartbeatThrottleInterval: `${IN_YAML} \`worker.heartbeatInterval\``,
    defaultHeartbeatThrottleInterval: `${IN_YAML} \`worker.heartbeatInterval\``,
  },
};

/**
 * Temporal's own options of a worker, checked.
 * @throws HoldfastError `InvalidDefinition` for unsupported options, by name
 */
export function workerTemporalOptions(given: WorkerTemporalOptions | undefined) {
  return temporalOptions(given, KNOWN);
}

/**
 * Makes the worker; what Temporal refuses in its options is an error of the definition.
 * @throws HoldfastError `InvalidDefinition`
 */
export async function orInvalidOptions<T>(create: () => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    // Temporal checks the values: `ValueError` is its own, the others come from its native part.
    const isRefusal = error instanceof Error && ['ValueError', 'TypeError', 'RangeError'].includes(error.name);
    if (isRefusal) throw new HoldfastError('InvalidDefinition', { place: 'temporal', problem: error.message });
    throw error;
  }
}
