import type { NativeConnection } from '@temporalio/worker';
import type { Agent } from '../../agent/define/agent-definition';
import type { Log } from '../../agent/define/context';
import type { McpServer } from '../../agent/define/mcp-server';
import type { Outlet } from '../../agent/define/outlet';
import type { ModelConfig } from '../../agent/model/config';
import type { StreamBus } from '../../agent/protocol/stream';
import type { EmbeddingModel } from '../../agent/tool-filter/embedding-model';
import type { Config, Deployment } from '../../runtime/config/config';
import type { TelemetryOptions } from '../../runtime/telemetry/settings';
import type { WorkerTemporalOptions } from './temporal-options';

/** The parts of a worker. Options that are not set come from temporal.yaml. */
export interface WorkerOptions {
  /** The agents that this worker runs. Default: those that temporal.yaml names. */
  agents?: readonly Agent[];
  /** A configuration, or the path of one. Default: temporal.yaml, searched upwards from the working directory. */
  config?: Config | string;
  /**
   * Models by alias, in addition to those of the configuration, which they override. With `agents`, modules of agents
   * are not asked for models.
   */
  models?: Readonly<Record<string, ModelConfig>>;
  /**
   * Embedding models by alias, with which agents with a `toolFilter` rank tools: models of the AI SDK, or what
   * temporal.yaml may have. In addition to those of the configuration, which they override.
   */
  embeddings?: Readonly<Record<string, EmbeddingModel>>;
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
  /**
   * Where deltas of answers go. Default: readers in this process, in others of this user on this machine, and those of
   * `bus` in temporal.yaml.
   */
  bus?: StreamBus;
  /** What spans contain. The `OTEL_*` variables decide whether there are any, and where they go. */
  telemetry?: TelemetryOptions;
  /** Temporal's own options. */
  temporal?: WorkerTemporalOptions;
  /**
   * The version of the code that this worker runs, for Temporal's worker versioning. Default: that of the configuration;
   * without one the worker takes runs of every version.
   */
  deployment?: Deployment;
  /** Receives the log of the worker and of tools (`ctx.log`). Default: JSON lines on standard error. */
  logger?: Log;
  /**
   * Runs workflow code in the main thread: a debugger stops there, no thread has to start, and the limit of 5 s for a
   * workflow task does not apply. For tests and debugging. Default: false, or true if `TEMPORAL_DEBUG` is set.
   */
  debugMode?: boolean;
}
