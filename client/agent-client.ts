import { randomUUID } from 'node:crypto';
import { type Client, Client as TemporalClient } from '@temporalio/client';
import { isAgentName } from '../agent/agent-name';
import type { PendingApproval } from '../agent/approval';
import { checkRunInput } from '../agent/check-run-input';
import type { Agent } from '../agent/define-agent';
import { HoldfastError } from '../agent/error';
import type { GivenEvent } from '../agent/event';
import type { Json, JsonObject } from '../agent/json';
import { check } from '../agent/schema';
import type { RunInput } from '../agent/state';
import type { StreamBus } from '../agent/stream';
import { type Config, loadConfig } from '../runtime/config';
import { connect } from '../runtime/connection';
import { activeTraceparent } from '../runtime/telemetry/active';
import { ApprovalCache } from './approval-cache';
import { answerCall, answerService } from './complete-service';
import { type PendingFilter, pendingEverywhere } from './pending';
import { RunHandle } from './run-handle';
import { type EventStartOptions, runOfEvent } from './start-from-event';
import { startRun } from './start-run';

/** What {@link AgentClient.connect} takes. */
export interface ConnectOptions {
  /** A configuration, or the path of one. Default: temporal.yaml, looked for upwards from the working directory. */
  config?: Config | string;
  /** Where deltas of answers come from; without it `events` gives facts alone. */
  bus?: StreamBus;
}

/** What an {@link AgentClient} over a Temporal client of one's own takes. */
export interface AgentClientOptions {
  /** Where runs are started unless told otherwise. Default `holdfast`. */
  taskQueue?: string;
  /** Where deltas of answers come from; without it `events` gives facts alone. */
  bus?: StreamBus;
  /** Milliseconds that questions about a run wait while no worker answers, before they fail as `NoWorker`. Default 60,000. */
  patience?: number;
}

/** What a run is started with. */
export interface StartOptions<Input = unknown> {
  /** What the agent gets. */
  input: Input;
  /** The run's id, which is the workflow id. Default: the agent's name and a random part. */
  id?: string;
  /** Who the run belongs to. */
  owner?: string;
  /** What the caller attaches, up to 64 KB; tools and builders see it. */
  metadata?: JsonObject;
  /** Where its worker polls. Default: that of the client. */
  taskQueue?: string;
  /** The trace that the run becomes part of (W3C Trace Context). Default: that of the active OpenTelemetry span. */
  traceparent?: string;
}

type InputOf<A> = A extends Agent<infer Input, unknown> ? Input : never;
type OutputOf<A> = A extends Agent<unknown, infer Output> ? Output : never;

/** Starts runs and finds them again. Needs no code of tools: an agent's name is enough. */
export class AgentClient {
  readonly #owned: { close(): Promise<void> } | undefined;

  /** @param temporal an ordinary Temporal client, which stays the caller's to close */
  constructor(
    readonly temporal: Client,
    private readonly options: AgentClientOptions = {},
    owned?: { close(): Promise<void> },
  ) {
    this.#owned = owned;
  }

  /**
   * Connects by temporal.yaml and the `TEMPORAL_*` variables.
   * @throws HoldfastError `NoServer`, `InvalidConfig`
   */
  static async connect({ config: given, bus }: ConnectOptions = {}): Promise<AgentClient> {
    const config = typeof given === 'object' ? given : await loadConfig(given === undefined ? {} : { path: given });
    const connection = await connect(config);
    const { namespace, taskQueue } = config.temporal;
    const client = new TemporalClient({ connection, namespace });
    return new AgentClient(client, { taskQueue, ...(bus === undefined ? {} : { bus }) }, connection);
  }

  /**
   * Starts a run, or attaches to the one that has this id, agent and input already, also after its end.
   * @throws HoldfastError `InvalidInput` where the agent's schema is at hand, `IdInUse`, `NoServer`
   */
  async start<Input, Output>(agent: Agent<Input, Output>, options: StartOptions<Input>): Promise<RunHandle<Output>>;
  /** By name alone: `start<typeof triage>('support.triage', …)` has the types without the code. */
  async start<A extends Agent = Agent>(
    agent: string,
    options: StartOptions<InputOf<A>>,
  ): Promise<RunHandle<OutputOf<A>>>;
  async start(agent: Agent | string, options: StartOptions): Promise<RunHandle<never>> {
    const name = typeof agent === 'string' ? agent : agent.name;
    if (!isAgentName(name)) throw new HoldfastError('InvalidAgentName', { name: String(name) });
    const schema = typeof agent === 'string' ? undefined : agent.definition.input;
    if (schema !== undefined) {
      const checked = await check(schema, options.input);
      if (!checked.ok) throw new HoldfastError('InvalidInput', { agent: name, problem: checked.problem });
    }
    const traceparent = options.traceparent ?? (await activeTraceparent());
    const input = checkRunInput(name, { ...runInput(options), ...(traceparent === undefined ? {} : { traceparent }) });
    const id = options.id ?? `${name}-${randomUUID().slice(0, 8)}`;
    await startRun(this.temporal, { agent: name, id, taskQueue: this.#taskQueue(options), input });
    return this.get<never>(id);
  }

  /**
   * Starts a run by an event of the agent's own contract, `arvo.orc.<name>`: its data is the input, and its sender gets
   * the answer as an event. The same event starts one run, however often it comes; whether its data fits the agent's
   * schema is judged in the run, so that the sender hears of it.
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
   * Calls of all runs that wait for a person, the oldest first; found by one visibility query. Needs the search attributes
   * and a server that lists runs: the time-skipping test server does not.
   * @throws HoldfastError `NoServer`, `NoWorker`
   */
  async pending(filter: PendingFilter = {}): Promise<PendingApproval[]> {
    return pendingEverywhere(this.temporal, filter, this.options.patience);
  }

  /** The handle of a run; whether there is one shows when it is asked something. */
  get<Output = unknown>(id: string): RunHandle<Output> {
    return new RunHandle<Output>(this.temporal, id, this.options);
  }

  /**
   * Hands the event with which a service answers to the run that waits, which its `subject` names. Whether the run takes
   * it shows in its facts: an answer that nobody waits for is counted there, and changes nothing.
   * @throws HoldfastError `InvalidEvent`, `RunNotFound`, `RunEnded`, `NoServer`
   */
  completeService(event: GivenEvent): Promise<void> {
    return answerService(this.temporal, event);
  }

  /**
   * Answers one call of a run that waits for it, with the data or with what went wrong; at most 1 MB.
   * @throws HoldfastError `InvalidEvent`, `RunNotFound`, `RunEnded`, `NoServer`
   */
  completeCall(id: string, toolUseId: string, answer: { data: Json } | { error: string }): Promise<void> {
    return answerCall(this.temporal, id, { toolUseId, ...answer });
  }

  /**
   * The decisions on an agent's calls that hold for all its runs, to look at and to forget.
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
    ...(owner === undefined ? {} : { owner }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
