import { type NativeConnection, Worker } from '@temporalio/worker';
import { createActivities } from '../activities';
import { LoopWatch } from '../activities/loop-watch';
import { McpConnections } from '../activities/mcp';
import { Registry } from '../activities/registry';
import { closeThread } from '../activities/schemas/job-thread';
import type { Agent } from '../agent/define/agent-definition';
import { checkOutlet } from '../agent/define/checks/outlet';
import type { McpServer } from '../agent/define/mcp-server';
import type { Outlet } from '../agent/define/outlet';
import { HoldfastError } from '../agent/errors/error';
import type { ModelConfig } from '../agent/model/config';
import { APPROVALS } from '../agent/protocol/activities';
import type { StreamBus } from '../agent/protocol/stream';
import { defined } from '../agent/values/defined';
import { createLocalBus } from '../runtime/bus/bus';
import { serveBus } from '../runtime/bus/socket-bus-worker';
import { type Config, loadConfig } from '../runtime/config/config';
import { createLog } from '../runtime/log';
import { openTracing } from '../runtime/telemetry/make-spans';
import type { TelemetryOptions } from '../runtime/telemetry/settings';
import { connectNative } from '../runtime/temporal/native-connection';
import { dataConverterOf, type TemporalOptions } from '../runtime/temporal/options';
import { workflowBundle } from './bundle/bundle';
import { checkReferences } from './check-references';
import { workerConverter } from './data-converter';
import { serveEntities } from './entity-worker';
import { listenersOf } from './listeners';
import { loadAgents } from './load-agents';
import { mayAsk } from './may-ask';
import { observerSinks } from './observer-sinks';
import { warnOfOthers } from './other-workers';
import { runUntilEnded } from './run-until-ended';
import { hasSearchAttributes } from './search-attributes';
import { agentsHash, identityOf } from './worker-identity';

/** The parts of a worker. Options that are not set come from temporal.yaml. */
export interface WorkerOptions {
  /** The agents that this worker runs. Default: those that temporal.yaml names. */
  agents?: readonly Agent[];
  /** A configuration, or the path of one. Default: temporal.yaml, searched upwards from the working directory. */
  config?: Config | string;
  /** Models by alias, in addition to those of the configuration, which they override. */
  models?: Readonly<Record<string, ModelConfig>>;
  /** MCP servers by alias, in addition to those of the configuration, which they override. */
  mcp?: Readonly<Record<string, McpServer>>;
  /**
   * Outlets by the names that services and `replies` use, in addition to those of the configuration, which they
   * override.
   */
  outlets?: Readonly<Record<string, Outlet>>;
  /** Default: that of the configuration, `holdfast`. */
  taskQueue?: string;
  /** An open connection, which the worker does not close. Default: the worker opens its own. */
  connection?: NativeConnection;
  /** Where deltas of answers go. Default: readers in this process, and in others of this user on this machine. */
  bus?: StreamBus;
  /** What spans contain. The `OTEL_*` variables decide whether there are any, and where they go. */
  telemetry?: TelemetryOptions;
  /** Temporal's own options. */
  temporal?: TemporalOptions;
  /**
   * Runs workflow code in the main thread: a debugger stops there, no thread has to start, and the limit of 5 s for a
   * workflow task does not apply. For tests and debugging. Default: false, or true if `TEMPORAL_DEBUG` is set.
   */
  debugMode?: boolean;
}

/** A worker that polls one task queue for agents. */
export interface HoldfastWorker {
  /** The task queue that it polls. */
  readonly taskQueue: string;
  /** Names of the agents that it knows. */
  readonly agents: string[];
  /** Where deltas of its answers go. */
  readonly bus: StreamBus;
  /** Works until {@link shutdown}; then running activities get the grace time, and MCP servers are closed. */
  run(): Promise<void>;
  /** Asks it to end: it takes no new work. {@link run} resolves when it has ended. */
  shutdown(): void;
}

/** After the death of a worker its sticky queue is abandoned after this time, instead of after 10 s. */
const STICKY_TIMEOUT = 2000;
/** Milliseconds after the grace time in which activities that were told to stop may still report. */
const LAST_REPORTS = 5000;

/**
 * Makes a worker for agents.
 * @throws HoldfastError `NoServer`, `InvalidConfig`, `InvalidDefinition`, `UnknownModel`, `UnknownOutlet`
 */
export async function createWorker(options: WorkerOptions = {}): Promise<HoldfastWorker> {
  const { payloadCodecs = [] } = dataConverterOf(options.temporal);
  const config = typeof options.config === 'object' ? options.config : await loadConfig(pathOption(options.config));
  const agents = options.agents ?? (await loadAgents(config));
  if (agents.length === 0) {
    throw new HoldfastError('InvalidConfig', {
      file: config.file ?? 'temporal.yaml',
      problem: 'There are no agents; name the module that exports them under `agents`',
    });
  }
  const registry = new Registry(agents);
  const models = { ...config.models, ...options.models };
  const mcp = { ...config.mcp, ...options.mcp };
  const outlets = { ...config.outlets, ...options.outlets };
  if ((options.taskQueue ?? config.temporal.taskQueue) === APPROVALS.taskQueue) {
    throw new HoldfastError('InvalidConfig', {
      file: config.file ?? 'temporal.yaml',
      problem: `The task queue \`${APPROVALS.taskQueue}\` is taken: every worker serves remembered approvals there`,
    });
  }
  for (const [name, outlet] of Object.entries(options.outlets ?? {})) checkOutlet(outlet, `outlets.${name}`);
  checkReferences(agents, { models, mcp, outlets });
  const log = createLog();
  const bus = options.bus ?? createLocalBus({ log });
  const taskQueue = options.taskQueue ?? config.temporal.taskQueue;
  const connection = options.connection ?? (await connectNative(config));
  const connections = new McpConnections({ log });
  const watch = new LoopWatch(log);
  const listener = listenersOf(registry, log, watch);
  const tracing = openTracing(options.telemetry ?? {}, log);
  const { namespace } = config.temporal;
  const { shutdownGrace, heartbeatInterval, maxCachedWorkflows, maxConcurrentActivities } = config.worker;
  const dataConverter = workerConverter(payloadCodecs);
  const debugMode = defined({ debugMode: options.debugMode });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    identity: identityOf(agents),
    workflowBundle: await workflowBundle(),
    dataConverter,
    activities: createActivities({
      registry,
      models,
      mcp,
      outlets,
      connections,
      bus,
      log,
      searchAttributes: await hasSearchAttributes(connection, namespace),
      tracing,
      watch,
      listener,
    }),
    sinks: observerSinks(listener, tracing),
    maxHeartbeatThrottleInterval: heartbeatInterval,
    defaultHeartbeatThrottleInterval: heartbeatInterval,
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    shutdownGraceTime: shutdownGrace,
    ...debugMode,
    ...defined({ maxCachedWorkflows, maxConcurrentActivityTaskExecutions: maxConcurrentActivities }),
  });
  await warnOfOthers(connection, { namespace, taskQueue, agents: agentsHash(agents) }, log);
  const closeBus = options.bus === undefined ? await serveBus(bus, config.temporal, { log }) : undefined;
  const end = () => {
    // Temporal's worker cannot be shut down twice.
    if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  return {
    taskQueue,
    agents: registry.names,
    bus,
    shutdown: end,
    async run() {
      const working = runUntilEnded(worker, { limit: shutdownGrace + LAST_REPORTS, log });
      // It costs a process about as much as a second worker: if no call waits for a person, nothing is remembered.
      const asks = agents.some(({ definition }) => mayAsk(definition));
      const entities = asks ? serveEntities({ connection, namespace, dataConverter, ...debugMode }, end) : undefined;
      let leftover: Promise<void> | undefined;
      try {
        ({ leftover } = await working.finally(entities?.leave));
      } finally {
        await closeBus?.();
        await connections.close();
        await watch.close();
        await closeThread();
        await tracing?.close();
        const close = () => (options.connection === undefined ? connection.close() : undefined);
        // Calls in progress keep it open.
        if (leftover === undefined) await close();
        else void leftover.then(close);
      }
    },
  };
}

function pathOption(path: string | undefined): { path?: string } {
  return defined({ path });
}
