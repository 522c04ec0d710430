import type { GivenEvent } from '../../agent/protocol/event';
import { defined } from '../../agent/values/defined';
import type { Json, JsonObject } from '../../agent/values/json';
import type { StartOptions } from '../client-options';
import type { Session, SessionFilter } from '../runs/sessions';
import type { WaitingFilter, WaitingForPeople } from '../waits/waiting-everywhere';
import { addressOf, checkedToken } from './address';
import { RemoteApi } from './api';
import { pathOf } from './remote-commands';
import { RemoteRun } from './remote-run';

/** Options of `RemoteClient.connect`. */
export interface RemoteOptions {
  /** The address of `holdfast serve`, such as `https://agents.example.com`. It may end with `#token=…`. */
  url: string;
  /** A key or a token. Default: that of the address. */
  token?: string;
  /**
   * Milliseconds during which a request that finds no server is sent again. Writes have an `Idempotency-Key`, so that
   * they are carried out once. Default 10,000. Events are read over lost connections for as long as it takes.
   */
  patience?: number;
  /** Is told when a request finds no server and is going to be sent again, once for each request. */
  onAway?: (problem: string) => void;
}

/** Options of a start over HTTP. The server makes the run's id, and its owner is the user of the token. */
export interface RemoteStartOptions<Input = unknown>
  extends Pick<StartOptions<Input>, 'input' | 'title' | 'metadata' | 'version' | 'budget'> {
  /** The same key, agent and input attach to the run that was started with it. Default: a new key for each call. */
  idempotencyKey?: string;
}

/** The user of a token. */
export interface RemoteUser {
  /** Who acts, as facts and decisions name them. */
  user: string;
  /** Whose runs the user sees. Missing: there are no tenants. */
  tenant?: string;
  /** What the token may do: `start`, `read`, `message`, `decide`, `admin`. */
  scopes: string[];
  /** Roles in which the user decides. */
  roles: string[];
}

/** What a server says about itself. */
export interface RemoteInfo {
  /** The version of Holdfast there. */
  version: string;
  /** The Temporal namespace of the runs. */
  namespace: string;
  /** The task queue of new runs. */
  taskQueue: string;
  /** Whether the server reaches Temporal. */
  temporal: { reachable: boolean };
  /** Whether a worker takes tasks of the queue. */
  worker: { polling: boolean };
}

/** An agent that can be started. */
export interface RemoteAgent {
  /** What `start` takes. */
  name: string;
  /** What it is for. */
  description?: string;
  /** Whether it works on one input, or takes one message after another. */
  mode: 'task' | 'conversation';
  /** JSON Schema of its input. Missing: it takes any. */
  inputSchema?: JsonObject;
}

const PATIENCE = 10_000;

/** Starts runs and finds them again over the HTTP API of `holdfast serve`. It needs no access to Temporal. */
export class RemoteClient {
  private constructor(
    private readonly api: RemoteApi,
    /** The user of the token: who acts in everything that this client sends. */
    readonly user: RemoteUser,
  ) {}

  /**
   * Connects to a served address, and finds out who the token belongs to.
   * @throws HoldfastError `InvalidConfig` for an invalid address or token; `NoServer`; `ServerRefused` if something else
   * answers there; `Unauthorized`
   */
  static async connect({ url, token: given, patience = PATIENCE, onAway }: RemoteOptions): Promise<RemoteClient> {
    const address = addressOf(url);
    const known = given ?? address.token;
    const token = known === undefined ? undefined : checkedToken(known);
    const api = new RemoteApi({ url: address.url, token, patience, onAway });
    return new RemoteClient(api, await api.json<RemoteUser>('/me'));
  }

  /** The address, without a token. */
  get url(): string {
    return this.api.url;
  }

  /**
   * Starts a run. A start that is sent again after a lost connection starts it once.
   * @throws HoldfastError `UnknownAgent`, `InvalidInput`, `IdInUse`, `MissingScope`, `NoServer`
   */
  async start<Output = unknown>(
    agent: string,
    { idempotencyKey, ...options }: RemoteStartOptions,
  ): Promise<RemoteRun<Output>> {
    const body = { agent, ...defined(options) };
    // A header has no other characters.
    const key = idempotencyKey === undefined ? undefined : encodeURIComponent(idempotencyKey);
    const { id } = await this.api.json<{ id: string }>('/runs', { method: 'POST', body, key });
    return this.get<Output>(id);
  }

  /** The run with this id. It does not check that the run exists. */
  get<Output = unknown>(id: string): RemoteRun<Output> {
    return new RemoteRun<Output>(this.api, id);
  }

  /**
   * Runs that the user may see: open ones first, then ended ones, the newest of each first.
   * @throws HoldfastError `RunsNotListed`, `MissingScope`, `NoServer`
   */
  async sessions({ agent, owner, status, limit }: Omit<SessionFilter, 'ownerPrefix'> = {}): Promise<Session[]> {
    const query = defined({ agent, owner, status, limit });
    return (await this.api.json<{ runs: Session[] }>('/runs', { query })).runs;
  }

  /**
   * What waits for people in all runs that the user may see, the oldest first.
   * @throws HoldfastError `RunsNotListed`, `MissingScope`, `NoServer`
   */
  async waiting({ agent, owner }: Omit<WaitingFilter, 'ownerPrefix'> = {}): Promise<WaitingForPeople> {
    const found = await this.api.json<WaitingForPeople>('/waiting', { query: defined({ agent }) });
    if (owner === undefined) return found;
    return {
      approvals: found.approvals.filter((one) => one.owner === owner),
      questions: found.questions.filter((one) => one.owner === owner),
      // Of these it is not known whose they are.
      unanswered: found.unanswered,
    };
  }

  /**
   * Deletes a run that has ended, with its history. It needs the scope `admin`.
   * @throws HoldfastError `RunNotEnded`, `RunNotFound`, `MissingScope`, `NoServer`
   */
  async delete(id: string): Promise<void> {
    await this.api.json(pathOf(id), { method: 'DELETE' });
  }

  /**
   * Sends a service's answer event to the run that its `subject` names. The run's facts show whether it is accepted.
   * @throws HoldfastError `InvalidEvent`, `RunNotFound`, `RunEnded`, `MissingScope`, `NoServer`
   */
  async completeService(event: GivenEvent): Promise<void> {
    await this.api.json('/events', { method: 'POST', body: event });
  }

  /**
   * Answers one waiting call of a run with data or an error text.
   * @throws HoldfastError `InvalidEvent`, `RunNotFound`, `RunEnded`, `MissingScope`, `NoServer`
   */
  async completeCall(
    id: string,
    toolUseId: string,
    answer: ({ data: Json } | { error: string }) & { idempotencyKey?: string },
  ): Promise<void> {
    const path = `${pathOf(id)}/calls/${encodeURIComponent(toolUseId)}/result`;
    await this.api.json(path, { method: 'POST', body: answer });
  }

  /** The agents that can be started. */
  async agents(): Promise<RemoteAgent[]> {
    return (await this.api.json<{ agents: RemoteAgent[] }>('/agents')).agents;
  }

  /**
   * What is up.
   * @param options.patience as in `connect`, for this request
   * @throws HoldfastError `NoServer`
   */
  info({ patience }: { patience?: number } = {}): Promise<RemoteInfo> {
    return this.api.json('/info', defined({ patience }));
  }

  /** Ends nothing: there are no connections between two requests. It is here since `AgentClient` has it. */
  async close(): Promise<void> {}
}
