import type { StreamBus } from '../agent/protocol/stream';
import type { JsonObject } from '../agent/values/json';
import type { Config } from '../runtime/config/config';
import type { TemporalOptions } from '../runtime/temporal/options';

/** What `AgentClient.connect` takes. */
export interface ConnectOptions {
  /** A configuration, or the path of one. Default: temporal.yaml, looked for upwards from the working directory. */
  config?: Config | string;
  /**
   * Where deltas of answers come from; without it `events` gives facts alone. `local`: the workers of this user on this
   * machine.
   */
  bus?: StreamBus | 'local';
  /** Temporal's own options: the codecs of the workers. */
  temporal?: TemporalOptions;
}

/** What an `AgentClient` over a Temporal client of one's own takes. */
export interface AgentClientOptions {
  /** Where runs are started unless told otherwise. Default `holdfast`. */
  taskQueue?: string;
  /** Where deltas of answers come from; without it `events` gives facts alone. */
  bus?: StreamBus;
  /** Milliseconds that questions about a run wait while no worker answers, before they fail as `NoWorker`. Default 60,000. */
  workerTimeout?: number;
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

/** What a message that may start its conversation is sent with. */
export interface SendOptions<Input = unknown> extends Partial<StartOptions<Input>> {
  /** The conversation's id. */
  id: string;
  /** Of the message: one that is sent again with the same id is taken once. */
  messageId?: string;
  /** Who says it. */
  by?: string;
}
