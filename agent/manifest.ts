import type { Json, JsonObject } from './json';

/** A JSON Schema: draft 2020-12 of schemas of one's own, what the server says of MCP tools. */
export type JsonSchema = JsonObject;

/**
 * What a retry of a tool means. `once`: it must not run twice, so it gets one attempt and an unknown outcome is told
 * instead of tried again. `idempotent`: it may be repeated under the same idempotency key. `read`: it changes nothing.
 */
export type Effect = 'once' | 'idempotent' | 'read';

/**
 * Where a tool runs. `activity`: in an activity of its own. `inline`: with the workflow task, half as dear, for tools that
 * take under 500 ms and give under 64 KB; they must be `read` or `idempotent`, since such a task may run twice.
 */
export type Placement = 'activity' | 'inline';

/** `wait`: the run waits until the tool has ended (its signal aborts, its grace is 2 s). `abandon`: it goes on without. */
export type Cancellation = 'wait' | 'abandon';

/** A tool as a run has pinned it, with all defaults filled in. */
export interface ToolSpec {
  /** Canonical name, unique in the agent: `lookup`, or `server.tool` for MCP. */
  name: string;
  /** `internal` is a function of the agent's, `mcp` a tool of a server. */
  kind: 'internal' | 'mcp';
  /** What the model calls it, see `name-table.ts`. */
  modelName: string;
  /** What the model reads of it. */
  description: string;
  /** What its arguments have to fit. */
  inputSchema: JsonSchema;
  /** What its result fits, where the tool says so. */
  outputSchema?: JsonSchema;
  /** What a retry of it means. */
  effect: Effect;
  /** Of one answer's calls only those with the highest priority present run. */
  priority: number;
  /** Milliseconds that one attempt may take; of an MCP tool those that it may be silent. */
  timeout: number;
  /** Milliseconds without a heartbeat after which its worker counts as dead; default the agent's. */
  heartbeatTimeout?: number;
  /** How often it is run when it throws. 1: what it throws goes to the model at once. */
  attempts: number;
  /** `inline`: as a local activity where the whole batch may. */
  placement: Placement;
  /** What a cancel does with a call under way. */
  cancellation: Cancellation;
  /** MCP: the agent's key of the server, the tool's name there, and milliseconds that a start of it may take. */
  mcp?: { server: string; tool: string; startTimeout: number };
  /** MCP: the server's hints, as it gave them. */
  annotations?: JsonObject;
}

/** What bounds a run, as it was pinned. Times are milliseconds. */
export interface Limits {
  /** Model calls that may ask for tools, self-correction included. Default 25. */
  maxToolInteractions: number;
  /** Characters of one tool result that the model sees. Default 30,000. */
  maxResultChars: number;
  /** Milliseconds without a heartbeat after which a worker counts as dead. Default 10,000. */
  heartbeatTimeout: number;
  /** Milliseconds that one attempt of a model call may take. Default 600,000. */
  modelTimeout: number;
}

/** The serialisable form of an agent that a run pins when it starts, so that a deploy never changes it midway. */
export interface Manifest {
  /** Of this shape. */
  version: 1;
  /** Its name. */
  agent: string;
  /** For people. */
  description?: string;
  /** Aliases of models, resolved by the worker: the first, and those that take over when it fails. */
  models: string[];
  /** The output where every model failed. */
  fallbackAnswer?: Json;
  /** All tools: the agent's own, the built-in ones, those of its MCP servers. */
  tools: ToolSpec[];
  /** JSON Schema of the output. */
  output?: JsonSchema;
  /** The agent has an outputBuilder, or an output schema: `holdfast.buildOutput` must be asked. */
  checksOutput: boolean;
  /** With defaults filled in. */
  limits: Limits;
  /** The worker found the search attributes registered: the run may write them. */
  searchAttributes: boolean;
}

/** What a run pins beside its manifest. */
export interface RunContext {
  system?: string;
  owner?: string;
  metadata: { [key: string]: Json };
}

/** Hashes that name a pinned manifest and a pinned context; a worker that holds neither asks the run for them. */
export interface Pin {
  manifest: string;
  context: string;
}
