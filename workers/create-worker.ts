import { Worker } from '@temporalio/worker';
import { createActivities } from '../activities';
import { LoopWatch } from '../activities/loop-watch';
import { McpConnections } from '../activities/mcp';
import { createLeases } from '../activities/model';
import { Registry } from '../activities/registry';
import { closeThread } from '../activities/schemas/job-thread';
import { checkOutlet } from '../agent/define/checks/outlet';
import { HoldfastError } from '../agent/errors/error';
import { APPROVALS } from '../agent/protocol/entities/approvals';
import type { StreamBus } from '../agent/protocol/stream';
import { defined } from '../agent/values/defined';
import { openWorkerBus } from '../runtime/bus/open-bus';
import { type Config, loadConfig } from '../runtime/config/config';
import { createLog, passingLog } from '../runtime/log';
import { Ends } from '../runtime/process/ends';
import { checkStorage } from '../runtime/storage/storage';
import { openTracing } from '../runtime/telemetry/make-spans';
import { connectNative } from '../runtime/temporal/native-connection';
import { workflowBundle } from './bundle/bundle';
import { checkReferences } from './check-references';
import { workerConverter } from './data-converter';
import { serveEntities } from './entity-worker';
import { listenersOf } from './listeners';
import { loadAgents, noAgents } from './load/load-agents';
import { loadModels } from './load/load-models';
import { loadRankers } from './load/load-rankers';
import { checkedModels } from './load/model-in';
import { mayAsk } from './may-ask';
import { observerSinks } from './observer-sinks';
import { computeTimeout } from './options/compute-timeout';
import { deploymentOptions, ONCE_CURRENT } from './options/deployment';
import { orInvalidOptions, workerTemporalOptions } from './options/temporal-options';
import type { WorkerOptions } from './options/worker-options';
import { workflowTasks } from './options/workflow-tasks';
import { warnOfOthers } from './other-workers';
import { runUntilEnded } from './run-until-ended';
import { hasSearchAttributes } from './search-attributes';
import { agentsHash, identityOf } from './worker-identity';

/** What a worker process wants of the start. */
interface Start {
  /** The process id of a worker that ends as soon as the new one works. It is on this machine, and may have other agents. */
  replaces?: number;
  /** Waits for the server, once all that needs no server is checked. Default: a server that does not answer is an error. */
  reach?: ((config: Config) => Promise<void>) | undefined;
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

/** Milliseconds after the grace time in which activities that were told to stop may still report. */
const LAST_REPORTS = 5000;

/**
 * Makes a worker for agents.
 * @throws HoldfastError `NoServer`, `InvalidConfig`, `InvalidDefinition`, `ModuleNotLoaded`, `UnknownModel`,
 * `UnknownOutlet`, `StorageUnavailable`
 */
export async function createWorker(
  options: WorkerOptions = {},
  { replaces, reach }: Start = {},
): Promise<HoldfastWorker> {
  const ownModels = checkedModels(options.models ?? {});
  const { dataConverter: codecs, passed } = workerTemporalOptions(options.temporal);
  const config = typeof options.config === 'object' ? options.config : await loadConfig(pathOption(options.config));
  const agents = options.agents ?? (await loadAgents(config));
  if (agents.length === 0) throw noAgents(config);
  const registry = new Registry(agents);
  const models = { ...(await loadModels(config, { ofAgents: options.agents === undefined })), ...ownModels };
  const mcp = { ...config.mcp, ...options.mcp };
  const outlets = { ...config.outlets, ...options.outlets };
  const embeddings = { ...config.embeddings, ...options.embeddings };
  if ((options.taskQueue ?? config.temporal.taskQueue) === APPROVALS.taskQueue) {
    throw new HoldfastError('InvalidConfig', {
      file: config.file ?? 'temporal.yaml',
      problem: `The task queue \`${APPROVALS.taskQueue}\` is taken: every worker serves remembered approvals there`,
    });
  }
  for (const [name, outlet] of Object.entries(options.outlets ?? {})) checkOutlet(outlet, `outlets.${name}`);
  checkReferences(agents, { models, mcp, outlets, embeddings });
  const log = options.logger === undefined ? createLog() : passingLog(options.logger);
  await reach?.(config);
  const { bus, serve } =
    options.bus === undefined ? openWorkerBus(config, log) : { bus: options.bus, serve: undefined };
  if (config.storage !== undefined) await checkStorage(config.storage);
  const ownLog = options.logger === undefined ? undefined : log;
  const connection = options.connection ?? (await connectNative(config, ownLog));
  const disconnect = () => (options.connection === undefined ? connection.close() : undefined);
  const taskQueue = options.taskQueue ?? config.temporal.taskQueue;
  const { namespace } = config.temporal;
  const { shutdownGrace, heartbeatInterval, maxCachedWorkflows, maxConcurrentActivities } = config.worker;
  const dataConverter = workerConverter(codecs.payloadCodecs ?? [], config.storage, log);
  const debugMode = defined({ debugMode: options.debugMode });
  const leases = createLeases(log);
  const ends = new Ends();
  const watch = new LoopWatch(log);
  const makeWorker = async () => {
    const connections = new McpConnections({ log });
    ends.add(() => connections.close());
    ends.add(() => watch.close());
    ends.add(closeThread);
    const listener = listenersOf(registry, log, watch);
    const tracing = openTracing(options.telemetry ?? {}, log);
    ends.add(() => tracing?.close());
    const activities = createActivities({
      leases,
      registry,
      models,
      mcp,
      outlets,
      connections,
      bus,
      log,
      searchAttributes: await hasSearchAttributes(connection, namespace),
      archives: config.storage?.archive === true,
      tracing,
      watch,
      listener,
      rankers: loadRankers(embeddings, log),
    });
    const bundle = await workflowBundle();
    const others = { namespace, taskQueue, agents: agentsHash(agents), ...defined({ replaces }) };
    await warnOfOthers(connection, others, log);
    ends.add(await serve?.());
    const deployment = options.deployment ?? config.worker.deployment;
    const worker = await orInvalidOptions(() =>
      Worker.create({
        ...workflowTasks({ ...defined({ maxCachedWorkflows }), ...passed }),
        ...computeTimeout(options.debugMode),
        ...defined({ maxCachedWorkflows, maxConcurrentActivityTaskExecutions: maxConcurrentActivities }),
        ...passed,
        connection,
        namespace,
        taskQueue,
        identity: identityOf(agents),
        workflowBundle: bundle,
        dataConverter,
        activities,
        sinks: observerSinks(listener, tracing),
        maxHeartbeatThrottleInterval: heartbeatInterval,
        defaultHeartbeatThrottleInterval: heartbeatInterval,
        shutdownGraceTime: shutdownGrace,
        ...defined({ workerDeploymentOptions: deploymentOptions(deployment) }),
        ...debugMode,
      }),
    );
    if (deployment !== undefined) log.info({ ...deployment }, ONCE_CURRENT);
    return worker;
  };
  const worker = await makeWorker().catch(async (error: unknown) => {
    // What stays open would keep the process of a caller that goes on without a worker.
    await ends.close();
    await disconnect();
    throw error;
  });
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
      watch.start();
      const working = runUntilEnded(worker, { limit: shutdownGrace + LAST_REPORTS, log });
      // It costs a process about as much as a second worker: if no call waits for a person and no
      // model has limits, there is nothing to serve.
      const asks = agents.some(({ definition }) => mayAsk(definition));
      const limited = Object.values(models).some(({ limits }) => limits !== undefined);
      const entities =
        asks || limited ? serveEntities({ connection, namespace, dataConverter, ...debugMode }, end) : undefined;
      let leftover: Promise<void> | undefined;
      try {
        const leave = async () => {
          // First: what still asks for leases is answered by the workflows that are left then.
          await leases.close();
          await entities?.leave();
        };
        ({ leftover } = await working.finally(leave));
      } finally {
        await ends.close();
        // Calls in progress keep it open.
        if (leftover === undefined) await disconnect();
        else void leftover.then(disconnect);
      }
    },
  };
}

function pathOption(path: string | undefined): { path?: string } {
  return defined({ path });
}
