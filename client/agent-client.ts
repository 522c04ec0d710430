import { type Client, Client as TemporalClient } from '@temporalio/client';
import type { Agent, Mode } from '../agent/define/agent-definition';
import type { Log } from '../agent/define/context';
import { HoldfastError } from '../agent/errors/error';
import type { GivenEvent } from '../agent/protocol/event';
import type { StreamBus } from '../agent/protocol/stream';
import { defined } from '../agent/values/defined';
import type { Json } from '../agent/values/json';
import { openBus } from '../runtime/bus/open-bus';
import { type Config, loadConfig } from '../runtime/config/config';
import { passingLog } from '../runtime/log';
import { noStorage } from '../runtime/storage/payload-storage';
import { openStorage } from '../runtime/storage/storage';
import { connect } from '../runtime/temporal/connection';
import type { AgentClientOptions, ConnectOptions, ConversationOptions, StartOptions } from './client-options';
import { ConversationHandle } from './runs/conversation-handle';
import { deleteRun } from './runs/delete-run';
import type { HandleOf, InputOf, ModeOf, OutputOf } from './runs/handle-of';
import { RunHandle } from './runs/run-handle';
import { listSessions, type Session, type SessionFilter } from './runs/sessions';
import { agentName, checkedStart } from './runs/start/checked-start';
import { startAndSend } from './runs/start/start-and-send';
import { type EventStartOptions, runOfEvent } from './runs/start/start-from-event';
import { startRun } from './runs/start/start-run';
import { clientTemporalOptions } from './temporal-options';
import { ApprovalCache } from './waits/approval-cache';
import { answerCall, answerService } from './waits/complete-service';
import { type WaitingFilter, type WaitingForPeople, waitingEverywhere } from './waits/waiting-everywhere';

/** Starts runs and finds them again. It does not need the agent's code: the agent's name is enough. */
export class AgentClient {
  readonly #owned: { close(): Promise<void> } | undefined;

  /**
   * @param temporal an ordinary Temporal client, which the caller closes. Where the workers have a `storage`, its
   * `dataConverter` needs `externalStorage: openStorage(…)`.
   */
  constructor(
    readonly temporal: Client,
    private readonly options: AgentClientOptions = {},
    owned?: { close(): Promise<void> },
  ) {
    this.#owned = owned;
  }

  /**
   * Connects with temporal.yaml and the `TEMPORAL_*` variables.
   * @throws HoldfastError `NoServer`, `InvalidConfig`, also if the package for Redis is not installed,
   * `InvalidDefinition` for Temporal options that cannot be used, `StorageUnavailable` if the package for S3 is not
   * installed
   */
  static async connect({
    config: given,
    bus: from,
    logger,
    temporal,
    ...options
  }: ConnectOptions = {}): Promise<AgentClient> {
    const { dataConverter, passed } = clientTemporalOptions(temporal);
    const config = typeof given === 'object' ? given : await loadConfig(defined({ path: given }));
    const externalStorage = config.storage === undefined ? noStorage('client') : openStorage(config.storage);
    const { bus, close } = busOf(from, config, logger);
    const connection = await connect(config);
    const { namespace, taskQueue } = config.temporal;
    const converter = { ...dataConverter, externalStorage };
    const client = new TemporalClient({ ...passed, connection, namespace, dataConverter: converter });
    const owned = {
      async close() {
        close();
        await connection.close();
      },
    };
    return new AgentClient(client, { taskQueue, ...options, bus }, owned);
  }

  /**
   * Starts a run, or attaches to the run that already has this id, agent and input, even if it has ended.
   * @throws HoldfastError `InvalidInput` if the agent is given with its schema, `IdInUse`, `NoServer`
   */
  start<Input, Output, M extends Mode>(
    agent: Agent<Input, Output, M>,
    options: StartOptions<Input>,
  ): Promise<HandleOf<Output, M>>;
  /** By name: `start<typeof triage>('support.triage', …)` has the types without the code. */
  start<A extends Agent = Agent>(
    agent: string,
    options: StartOptions<InputOf<A>>,
  ): Promise<HandleOf<OutputOf<A>, ModeOf<A>>>;
  async start(agent: Agent | string, options: StartOptions): Promise<ConversationHandle<never>> {
    const start = await checkedStart(agent, { ...options, taskQueue: this.#taskQueue(options) });
    await startRun(this.temporal, start);
    return this.#handle(agent, start.id);
  }

  /**
   * Starts a run with an event of the agent's own contract, `arvo.orc.<name>`: its data is the input, and its sender
   * gets the answer as an event. The same event starts one run, however often it arrives. The run checks its data
   * against the agent's schema, so that the sender is told of an error.
   * @throws HoldfastError `InvalidEvent`, `InvalidInput` for another type of event, `IdInUse`, `NoServer`
   */
  async startFromEvent<Output>(
    agent: Agent<never, Output> | string,
    event: GivenEvent,
    options: EventStartOptions = {},
  ): Promise<RunHandle<Output>> {
    const { name, id, input } = runOfEvent(agent, event, options);
    await startRun(this.temporal, { agent: name, id, taskQueue: this.#taskQueue(options), input });
    return this.#handle(agent, id);
  }

  /** The source of deltas. `undefined`: `events` yields only facts. */
  get bus(): StreamBus | undefined {
    return this.options.bus;
  }

  /** The default task queue for new runs. */
  get taskQueue(): string {
    return this.options.taskQueue ?? 'holdfast';
  }

  #taskQueue({ taskQueue = this.taskQueue }: { taskQueue?: string }): string {
    return taskQueue;
  }

  /**
   * What waits for people in all runs: calls that need a decision, and questions, the oldest first. One visibility query
   * finds the runs. It needs the search attributes and a server that lists runs: the time-skipping test server does not.
   * @throws HoldfastError `RunsNotListed`, `NoServer`
   */
  waiting(filter: WaitingFilter = {}): Promise<WaitingForPeople> {
    return waitingEverywhere(this.temporal, filter, this.options.workerTimeout);
  }

  /**
   * Runs of any state, by one visibility query: open ones first, then ended ones, the newest of each first. It needs no
   * worker. Lists are some milliseconds behind the runs, and need a server that lists: the time-skipping test server
   * does not. With `owner`, a task that another client started is found once it waits or has ended.
   * @throws HoldfastError `RunsNotListed` if the search attributes that the filter needs are missing,
   * `InvalidAgentName`, `NoServer`
   */
  sessions(filter: SessionFilter = {}): Promise<Session[]> {
    return listSessions(this.temporal, filter);
  }

  /**
   * Deletes a run that has ended, with its history. The server does it in the background, which may take a minute.
   * Until then the run can still be read, and a start with its id finds it. Runs of agents that worked for it are
   * separate and stay.
   * @throws HoldfastError `RunNotEnded`, `RunNotFound`, `NoServer`
   */
  delete(id: string): Promise<void> {
    return deleteRun(this.temporal, id);
  }

  /**
   * The handle of a conversation. Its first message starts it, in one call to the server; with `input`, that comes first.
   * @throws HoldfastError `InvalidAgentName`; `InvalidDefinition` for an agent that is a task
   */
  conversation<Input, Output>(
    agent: Agent<Input, Output, 'conversation'>,
    options: ConversationOptions<Input>,
  ): ConversationHandle<Output>;
  /** By name: `conversation<typeof desk>('support.desk', …)` has the types without the code. */
  conversation<A extends Agent = Agent>(
    agent: string,
    options: ConversationOptions<InputOf<A>>,
  ): ConversationHandle<OutputOf<A>>;
  conversation(agent: Agent | string, options: ConversationOptions): ConversationHandle<never> {
    const name = agentName(agent);
    if (isTask(agent)) {
      const problem = `\`${name}\` is a task: start it with \`start\`, or give it \`mode: 'conversation'\``;
      throw new HoldfastError('InvalidDefinition', { place: 'conversation', problem });
    }
    return new ConversationHandle<never>(this.temporal, options.id, this.options, async (said) => {
      const start = await checkedStart(agent, { input: null, ...options, taskQueue: this.#taskQueue(options) });
      return startAndSend(this.temporal, start, said, this.options.workerTimeout);
    });
  }

  /**
   * The handle of a run. It does not check that the run exists.
   * @throws HoldfastError `InvalidAgentName`
   */
  get<Input, Output, M extends Mode>(agent: Agent<Input, Output, M>, id: string): HandleOf<Output, M>;
  /** By name: `get<typeof desk>('support.desk', id)` has the types without the code. */
  get<A extends Agent = Agent>(agent: string, id: string): HandleOf<OutputOf<A>, ModeOf<A>>;
  /** By id alone it has what tasks and conversations have in common; `get<unknown, 'conversation'>(id)` has the rest. */
  get<Output = unknown, M extends Mode = Mode>(id: string): HandleOf<Output, M>;
  get(agentOrId: Agent | string, id?: string): ConversationHandle<never> {
    if (id === undefined) return this.#handle(undefined, agentOrId as string);
    agentName(agentOrId);
    return this.#handle(agentOrId, id);
  }

  /** Where the mode is not known, the handle has every command, and the run refuses what is not for it. */
  #handle(agent: Agent | string | undefined, id: string): ConversationHandle<never> {
    const Handle = isTask(agent) ? RunHandle : ConversationHandle;
    // The overloads name the type by the agent's mode.
    return new Handle<never>(this.temporal, id, this.options) as ConversationHandle<never>;
  }

  /**
   * Sends a service's answer event to the waiting run, which its `subject` names. The run's facts show whether the run
   * accepts it: an unexpected answer is counted there, and changes nothing.
   * @throws HoldfastError `InvalidEvent`, `RunNotFound`, `RunEnded`, `NoServer`
   */
  completeService(event: GivenEvent): Promise<void> {
    return answerService(this.temporal, event);
  }

  /**
   * Answers one waiting call of a run with data or an error text, at most 1 MB. With `idempotencyKey`, the `ref` of
   * `run.waiting()`, only this exact call accepts it, not one of a later run of a schedule or after a reset.
   * @throws HoldfastError `InvalidEvent`, `RunNotFound`, `RunEnded`, `NoServer`
   */
  completeCall(
    id: string,
    toolUseId: string,
    answer: ({ data: Json } | { error: string }) & { idempotencyKey?: string },
  ): Promise<void> {
    return answerCall(this.temporal, id, { toolUseId, ...answer });
  }

  /**
   * The remembered decisions on an agent's calls that hold for all its runs, to list and revoke.
   * @throws HoldfastError `InvalidAgentName`
   */
  approvals(agent: Agent | string): ApprovalCache {
    return new ApprovalCache(this.temporal, agentName(agent), this.options);
  }

  /** Closes the connections that {@link AgentClient.connect} opened. */
  async close(): Promise<void> {
    await this.#owned?.close();
  }
}

function busOf(given: ConnectOptions['bus'], config: Config, logger: Log | undefined) {
  if (typeof given === 'object') return { bus: given, close: () => undefined };
  const from = given === 'local' ? { temporal: config.temporal } : config;
  const bus = openBus(from, logger === undefined ? {} : { log: passingLog(logger) });
  return { bus, close: () => bus.close() };
}

function isTask(agent: Agent | string | undefined): boolean {
  return typeof agent === 'object' && agent.definition.mode !== 'conversation';
}
