import { randomUUID } from 'node:crypto';
import { type Client, Client as TemporalClient } from '@temporalio/client';
import { check } from '../agent/contracts/schema';
import type { Agent } from '../agent/define/agent-definition';
import { isAgentName } from '../agent/define/agent-name';
import { HoldfastError } from '../agent/errors/error';
import { checkRunInput } from '../agent/protocol/check-run-input';
import type { GivenEvent } from '../agent/protocol/event';
import type { RunInput } from '../agent/protocol/run';
import { defined } from '../agent/values/defined';
import type { Json } from '../agent/values/json';
import { localStream } from '../runtime/bus/socket-bus-reader';
import { loadConfig } from '../runtime/config/config';
import { activeTraceparent } from '../runtime/telemetry/active';
import { connect } from '../runtime/temporal/connection';
import { dataConverterOf } from '../runtime/temporal/options';
import type { AgentClientOptions, ConnectOptions, ConversationOptions, StartOptions } from './client-options';
import { ConversationHandle } from './runs/conversation-handle';
import { deleteRun } from './runs/delete-run';
import { RunHandle } from './runs/run-handle';
import { listSessions, type Session, type SessionFilter } from './runs/sessions';
import { startAndSend } from './runs/start-and-send';
import { type EventStartOptions, runOfEvent } from './runs/start-from-event';
import { type Start, startRun } from './runs/start-run';
import { ApprovalCache } from './waits/approval-cache';
import { answerCall, answerService } from './waits/complete-service';
import { type WaitingFilter, type WaitingForPeople, waitingEverywhere } from './waits/waiting';

type InputOf<A> = A extends Agent<infer Input, unknown> ? Input : never;
type OutputOf<A> = A extends Agent<unknown, infer Output> ? Output : never;

/** Starts runs and finds them again. It does not need the agent's code: the agent's name is enough. */
export class AgentClient {
  readonly #owned: { close(): Promise<void> } | undefined;

  /** @param temporal an ordinary Temporal client, which the caller closes */
  constructor(
    readonly temporal: Client,
    private readonly options: AgentClientOptions = {},
    owned?: { close(): Promise<void> },
  ) {
    this.#owned = owned;
  }

  /**
   * Connects with temporal.yaml and the `TEMPORAL_*` variables.
   * @throws HoldfastError `NoServer`, `InvalidConfig`, `InvalidDefinition` for Temporal options that cannot be used
   */
  static async connect({ config: given, bus: from, temporal }: ConnectOptions = {}): Promise<AgentClient> {
    const dataConverter = dataConverterOf(temporal);
    const config = typeof given === 'object' ? given : await loadConfig(defined({ path: given }));
    const connection = await connect(config);
    const { namespace, taskQueue } = config.temporal;
    const client = new TemporalClient({ connection, namespace, dataConverter });
    const bus = from === 'local' ? localStream(config.temporal) : from;
    return new AgentClient(client, { taskQueue, ...defined({ bus }) }, connection);
  }

  /**
   * Starts a run, or attaches to the run that already has this id, agent and input, even if it has ended.
   * @throws HoldfastError `InvalidInput` if the agent is given with its schema, `IdInUse`, `NoServer`
   */
  async start<Input, Output>(agent: Agent<Input, Output>, options: StartOptions<Input>): Promise<RunHandle<Output>>;
  /** By name: `start<typeof triage>('support.triage', …)` has the types without the code. */
  async start<A extends Agent = Agent>(
    agent: string,
    options: StartOptions<InputOf<A>>,
  ): Promise<RunHandle<OutputOf<A>>>;
  async start(agent: Agent | string, options: StartOptions): Promise<RunHandle<never>> {
    const start = await this.#checked(agent, options);
    await startRun(this.temporal, start);
    return this.get<never>(start.id);
  }

  /** Reports known mistakes before the server is called. */
  async #checked(agent: Agent | string, options: StartOptions): Promise<Start> {
    const name = typeof agent === 'string' ? agent : agent.name;
    if (!isAgentName(name)) throw new HoldfastError('InvalidAgentName', { name: String(name) });
    const schema = typeof agent === 'string' ? undefined : agent.definition.inputSchema;
    if (schema !== undefined) {
      const checked = await check(schema, options.input);
      if (!checked.ok) throw new HoldfastError('InvalidInput', { agent: name, problem: checked.problem });
    }
    const traceparent = options.traceparent ?? activeTraceparent();
    const input = checkRunInput(name, { ...runInput(options), ...defined({ traceparent }) });
    const id = options.id ?? `${name}-${randomUUID().slice(0, 8)}`;
    return { agent: name, id, taskQueue: this.#taskQueue(options), input };
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
    return this.get<Output>(id);
  }

  #taskQueue({ taskQueue }: { taskQueue?: string }): string {
    return taskQueue ?? this.options.taskQueue ?? 'holdfast';
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
   * @throws HoldfastError `InvalidAgentName`
   */
  conversation<Input, Output>(
    agent: Agent<Input, Output>,
    options: ConversationOptions<Input>,
  ): ConversationHandle<Output>;
  /** By name: `conversation<typeof desk>('support.desk', …)` has the types without the code. */
  conversation<A extends Agent = Agent>(
    agent: string,
    options: ConversationOptions<InputOf<A>>,
  ): ConversationHandle<OutputOf<A>>;
  conversation(agent: Agent | string, options: ConversationOptions): ConversationHandle<never> {
    const name = typeof agent === 'string' ? agent : agent.name;
    if (!isAgentName(name)) throw new HoldfastError('InvalidAgentName', { name: String(name) });
    return new ConversationHandle<never>(this.temporal, options.id, this.options, async (said) => {
      const start = await this.#checked(agent, { input: null, ...options });
      return startAndSend(this.temporal, start, said, this.options.workerTimeout);
    });
  }

  /** The handle of a run. It does not check that the run exists. */
  get<Output = unknown>(id: string): RunHandle<Output> {
    return new RunHandle<Output>(this.temporal, id, this.options);
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
    const name = typeof agent === 'string' ? agent : agent.name;
    if (!isAgentName(name)) throw new HoldfastError('InvalidAgentName', { name: String(name) });
    return new ApprovalCache(this.temporal, name, this.options);
  }

  /** Closes the connection that {@link AgentClient.connect} opened. */
  async close(): Promise<void> {
    await this.#owned?.close();
  }
}

function runInput({ input, owner, metadata }: StartOptions): RunInput {
  return {
    input: (input ?? null) as NonNullable<RunInput['input']> | null,
    ...defined({ owner, metadata }),
  };
}
