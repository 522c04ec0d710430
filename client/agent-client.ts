import { randomUUID } from 'node:crypto';
import { type Client, Client as TemporalClient, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { isAgentName } from '../agent/agent-name';
import type { PendingApproval } from '../agent/approval';
import { checkRunInput } from '../agent/check-run-input';
import type { Agent } from '../agent/define-agent';
import { HoldfastError } from '../agent/error';
import type { GivenEvent } from '../agent/event';
import type { Json, JsonObject } from '../agent/json';
import { check } from '../agent/schema';
import type { RunInput, RunResult } from '../agent/state';
import type { StreamBus } from '../agent/stream';
import { type Config, loadConfig } from '../runtime/config';
import { connect } from '../runtime/connection';
import { activeTraceparent } from '../runtime/telemetry/active';
import { ApprovalCache } from './approval-cache';
import { checkAttach } from './attach';
import { orHoldfastError } from './client-error';
import { answerCall, answerService } from './complete-service';
import { type PendingFilter, pendingEverywhere } from './pending';
import { RunHandle } from './run-handle';

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
    if (options.id?.startsWith('holdfast.')) {
      throw new HoldfastError('IdInUse', { id: options.id, problem: 'ids that begin with `holdfast.` are taken' });
    }
    const schema = typeof agent === 'string' ? undefined : agent.definition.input;
    if (schema !== undefined) {
      const checked = await check(schema, options.input);
      if (!checked.ok) throw new HoldfastError('InvalidInput', { agent: name, problem: checked.problem });
    }
    const traceparent = options.traceparent ?? (await activeTraceparent());
    const input = checkRunInput(name, { ...runInput(options), ...(traceparent === undefined ? {} : { traceparent }) });
    const id = options.id ?? `${name}-${randomUUID().slice(0, 8)}`;
    try {
      await this.temporal.workflow.start<(input: RunInput) => Promise<RunResult>>(name, {
        workflowId: id,
        taskQueue: options.taskQueue ?? this.options.taskQueue ?? 'holdfast',
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        args: [input],
        staticSummary: summaryOf(name, options.owner),
        staticDetails: detailsOf(name, options.owner),
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw orHoldfastError(error, id);
      await checkAttach(this.temporal, { id, agent: name, input });
    }
    return this.get<never>(id);
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

/** Characters of the owner, and of the agent, in the summary: the server refuses one of more than 400 bytes. */
const SUMMARY = { agent: 100, owner: 40 } as const;

/** What lists of runs show beside the id. */
function summaryOf(agent: string, owner: string | undefined): string {
  const name = agent.slice(0, SUMMARY.agent);
  return owner === undefined ? name : `${name} for ${owner.replace(/\s+/g, ' ').slice(0, SUMMARY.owner)}`;
}

/** The same at length, on the run's own page; an owner stands in code, so that it can bring in no links. */
function detailsOf(agent: string, owner: string | undefined): string {
  const code = owner?.replaceAll('`', "'").replace(/\s+/g, ' ').slice(0, 1000);
  return `Agent \`${agent}\`${code === undefined ? '' : `, owner \`${code}\``}`;
}

function runInput({ input, owner, metadata }: StartOptions): RunInput {
  return {
    input: (input ?? null) as NonNullable<RunInput['input']> | null,
    ...(owner === undefined ? {} : { owner }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
