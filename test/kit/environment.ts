import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Agent } from '../../agent/define/agent-definition';
import type { McpServer } from '../../agent/define/mcp-server';
import { modelAliases } from '../../agent/define/model-aliases';
import type { Outlet } from '../../agent/define/outlet';
import { HoldfastError } from '../../agent/errors/error';
import type { ModelConfig, Prices } from '../../agent/model/config';
import type { EmbeddingModel } from '../../agent/tool-filter/embedding-model';
import { defined } from '../../agent/values/defined';
import { type Duration, milliseconds } from '../../agent/values/duration';
import { AgentClient } from '../../client/agent-client';
import type { ConversationOptions, StartOptions } from '../../client/client-options';
import type { ConversationHandle } from '../../client/runs/conversation-handle';
import type { RunHandle } from '../../client/runs/run-handle';
import { createLocalBus } from '../../runtime/bus/bus';
import { loadConfig } from '../../runtime/config/config';
import { SILENT_LOG } from '../../runtime/log';
import { installTemporalRuntime } from '../../runtime/temporal/log';
import { createWorker, type HoldfastWorker } from '../../workers/create-worker';
import { Replayer } from '../../workers/replay/replayer';
import { ScriptedModel } from './scripted-model';
import { startTestServer, TASK_QUEUE, type TestServer, type TestServerOptions } from './test-server';

/** Options of {@link createAgentTestEnvironment}. */
export interface TestEnvironmentOptions extends TestServerOptions {
  /** The agents that its worker runs. */
  agents: readonly Agent[];
  /** Real models by alias; every other alias is the scripted model. */
  models?: Readonly<Record<string, ModelConfig>>;
  /** Tokens that fit into one call of the scripted model. Default: unknown, and everything is sent. */
  contextWindow?: number;
  /** What the scripted model costs, which agents with a budget in money need. Default: unknown. */
  prices?: Prices;
  /**
   * Runs that the worker keeps in memory. 0: each task is replayed from the beginning, as on a worker that has just
   * taken over the run. Default: the SDK's.
   */
  maxCachedWorkflows?: number;
  /**
   * Runs workflow code in the main thread, also for replays, which saves the start of a thread for each worker. Stack traces
   * of the workflow are then not mapped to its sources, and an unhandled rejection anywhere in the process ends the worker.
   * Default: false, or true if `HOLDFAST_KIT_DEBUG_MODE` is set.
   */
  debugMode?: boolean;
  /** MCP servers by alias; they are really started. */
  mcp?: Readonly<Record<string, McpServer>>;
  /** Embedding models by alias, with which agents with a `toolFilter` rank tools. Default: their words decide. */
  embeddings?: Readonly<Record<string, EmbeddingModel>>;
  /** Outlets by name: a function receives the events in the test. */
  outlets?: Readonly<Record<string, Outlet>>;
}

/**
 * Starts a Temporal server, a worker and a scripted model for tests of agents; `close` ends all three.
 * @throws HoldfastError `NoBinary`, `DevServerFailed`, and the errors of {@link createWorker}
 */
export async function createAgentTestEnvironment(options: TestEnvironmentOptions): Promise<AgentTestEnvironment> {
  installTemporalRuntime({ log: SILENT_LOG });
  const server = await startTestServer(options);
  const kit = new AgentTestEnvironment(server, options);
  try {
    await kit.startWorker();
    return kit;
  } catch (error) {
    const problem = await server.ended();
    await kit.close();
    if (problem !== undefined) throw new HoldfastError('DevServerFailed', { problem }, { cause: error });
    throw error;
  }
}

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** A server, a worker and a scripted model for one test file. */
export class AgentTestEnvironment {
  /** Answers every model call that `models` does not name. */
  readonly model = new ScriptedModel();
  /** Starts runs on this server. */
  readonly client: AgentClient;
  /** Carries the deltas of this worker. */
  readonly bus = createLocalBus({ log: SILENT_LOG });
  /** The task queue that the worker polls. */
  readonly taskQueue = TASK_QUEUE;
  /** Temporal's own test environment, with its plain client. */
  readonly temporal: TestWorkflowEnvironment;
  #worker: { worker: HoldfastWorker; ended: Promise<void> } | undefined;
  readonly #replayer: Replayer;

  constructor(
    private readonly server: TestServer,
    private readonly options: TestEnvironmentOptions,
  ) {
    this.temporal = server.temporal;
    const { temporal, storage } = options;
    this.#replayer = new Replayer({ ...defined({ temporal, storage }), debugMode: this.#debugMode });
    this.client = new AgentClient(server.client, { taskQueue: this.taskQueue, bus: this.bus });
  }

  /** Starts a run, as {@link AgentClient.start} does. */
  start: AgentClient['start'] = (agent: Agent | string, options: StartOptions) =>
    this.client.start(agent as string, options) as Promise<RunHandle<never>>;

  /** The handle of a conversation, as {@link AgentClient.conversation} gives it. */
  conversation: AgentClient['conversation'] = (agent: Agent | string, options: ConversationOptions) =>
    this.client.conversation(agent as string, options) as ConversationHandle<never>;

  /**
   * Lets time pass; the run's timers fire. On a `dev` server it waits for as long.
   * @throws HoldfastError `InvalidDefinition` for an invalid duration
   */
  async skip(duration: Duration): Promise<void> {
    const ms = milliseconds(duration);
    if (ms === undefined) {
      const problem = `Expected milliseconds or a duration such as '2d', got \`${String(duration)}\``;
      throw new HoldfastError('InvalidDefinition', { place: 'skip', problem });
    }
    await this.temporal.sleep(ms);
  }

  /**
   * Replays every history of a run with the workflows of this package; throws if they would decide differently now. A
   * run that has gone on in new histories has several.
   */
  async replay(run: Pick<RunHandle, 'id'>): Promise<void> {
    for (const history of await this.histories(run)) {
      await this.#replayer.replay({ workflowId: run.id, history });
    }
  }

  /** The newest history of a run, as Temporal holds it. */
  history(run: Pick<RunHandle, 'id'>): ReturnType<WorkflowHandle['fetchHistory']> {
    return this.server.client.workflow.getHandle(run.id).fetchHistory();
  }

  /** All histories of a run, the oldest first. */
  async histories({ id }: Pick<RunHandle, 'id'>): Promise<History[]> {
    const found: History[] = [];
    let runId: string | undefined;
    do {
      const history = await this.server.client.workflow.getHandle(id, runId).fetchHistory();
      found.unshift(history);
      runId = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
    } while (runId !== undefined);
    return found;
  }

  /** Starts the worker, or another one after {@link stopWorker}. */
  async startWorker(): Promise<void> {
    if (!this.model.started) await this.model.start();
    const config = await loadConfig({ cwd: '/', env: {} });
    const { maxCachedWorkflows, storage } = this.options;
    const cache = defined({ maxCachedWorkflows });
    const worker = await createWorker({
      agents: this.options.agents,
      config: {
        ...config,
        ...defined({ storage }),
        temporal: { ...config.temporal, namespace: this.server.namespace },
        worker: { ...config.worker, shutdownGrace: 100, ...cache },
      },
      connection: this.temporal.nativeConnection,
      taskQueue: this.taskQueue,
      models: { ...this.#scripted(), ...this.options.models },
      mcp: this.options.mcp ?? {},
      outlets: this.options.outlets ?? {},
      embeddings: this.options.embeddings ?? {},
      bus: this.bus,
      temporal: this.options.temporal ?? {},
      debugMode: this.#debugMode,
    });
    this.#worker = { worker, ended: worker.run() };
  }

  /** Shuts the worker down in order; runs wait for the next one. */
  async stopWorker(): Promise<void> {
    const { worker, ended } = this.#worker ?? {};
    this.#worker = undefined;
    worker?.shutdown();
    await ended;
  }

  /** Ends worker, model and server. */
  async close(): Promise<void> {
    await this.stopWorker();
    await this.#replayer.close();
    await this.model.close();
    await this.server.stop();
  }

  get #debugMode(): boolean {
    return this.options.debugMode ?? Boolean(process.env.HOLDFAST_KIT_DEBUG_MODE);
  }

  #scripted(): Record<string, ModelConfig> {
    const aliases = new Set(['default', ...this.options.agents.flatMap(({ definition }) => modelAliases(definition))]);
    const { contextWindow, prices } = this.options;
    const given = defined({ contextWindow, prices });
    const config: ModelConfig = { baseUrl: this.model.url, model: 'scripted', apiKey: 'none', ...given };
    return Object.fromEntries([...aliases].map((alias) => [alias, config]));
  }
}
