import type { Budget } from '../agent/budget/budget';
import type { Log } from '../agent/define/context';
import type { StreamBus } from '../agent/protocol/stream';
import type { JsonObject } from '../agent/values/json';
import type { Config } from '../runtime/config/config';
import type { ClientTemporalOptions } from './temporal-options';

/** Options of `AgentClient.connect`. */
export interface ConnectOptions {
  /** A configuration, or the path of one. Default: temporal.yaml, looked for upwards from the working directory. */
  config?: Config | string;
  /**
   * The source of deltas. Default: `bus` of temporal.yaml, else `local`: the workers of this user on this machine.
   */
  bus?: StreamBus | 'local';
  /** Is told when deltas cannot be read. Default: JSON lines on standard error. */
  logger?: Log;
  /** The default task queue for new runs. Default: that of the configuration, `holdfast`. */
  taskQueue?: string;
  /**
   * Milliseconds that queries of a run wait while no worker answers, before they fail with `NoWorker`, and that `result()`
   * waits while no server does, before it fails with `NoServer`. Default 60,000. If it is given, it also ends the following
   * of a run: without it, a reader who has had all facts waits for workers without end.
   */
  workerTimeout?: number;
  /** Temporal's own options: the same codecs as the workers, and interceptors. */
  temporal?: ClientTemporalOptions;
}

/** Options of an `AgentClient` with a custom Temporal client. */
export interface AgentClientOptions {
  /** The default task queue for new runs. Default `holdfast`. */
  taskQueue?: string;
  /** The source of deltas. Without it, `events` yields only facts. */
  bus?: StreamBus;
  /**
   * Milliseconds that queries of a run wait while no worker answers, before they fail with `NoWorker`, and that `result()`
   * waits while no server does, before it fails with `NoServer`. Default 60,000. If it is given, it also ends the following
   * of a run: without it, a reader who has had all facts waits for workers without end.
   */
  workerTimeout?: number;
}

/** Options of a start. */
export interface StartOptions<Input = unknown> {
  /** The agent's input. */
  input: Input;
  /** The run's id, which is the workflow id. Default: the agent's name and a random suffix. */
  id?: string;
  /** Who the run belongs to. */
  owner?: string;
  /** A title, up to 200 characters, which lists and `run.state()` show. `rename` replaces it. */
  title?: string;
  /** Data of the caller, up to 64 KB. Tools and builders see it. */
  metadata?: JsonObject;
  /** The version of the agent's contract, such as `1.0.0`. Default: the newest that the worker has. */
  version?: string;
  /** What it may spend, with its child agents. Its agent's own budget applies as well. */
  budget?: Budget;
  /** The task queue of its worker. Default: that of the client. */
  taskQueue?: string;
  /** The trace that the run becomes part of (W3C Trace Context). Default: that of the active OpenTelemetry span. */
  traceparent?: string;
}

/** Options of a conversation. */
export interface ConversationOptions<Input = unknown> extends Partial<StartOptions<Input>> {
  /** The conversation's id, which is the workflow id. */
  id: string;
}
