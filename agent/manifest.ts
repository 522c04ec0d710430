import type { Json, JsonObject } from './json';

export type JsonSchema = JsonObject;

/**
 * What a retry of a tool means. `once`: it must not run twice, so it gets one attempt and an unknown outcome is told
 * instead of tried again. `idempotent`: it may be repeated under the same idempotency key. `read`: it changes nothing.
 */
export type Effect = 'once' | 'idempotent' | 'read';

export interface ToolSpec {
  /** Canonical name, unique in the agent: `lookup`, or `server.tool` for MCP. */
  name: string;
  kind: 'internal' | 'mcp';
  /** What the model calls it, see `name-table.ts`. */
  modelName: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  effect: Effect;
  /** Of one answer's calls only those with the highest priority present run. */
  priority: number;
  /** Milliseconds that one attempt may take; of an MCP tool those that it may be silent. */
  timeout: number;
  /** MCP: the agent's key of the server, the tool's name there, and milliseconds that a start of it may take. */
  mcp?: { server: string; tool: string; startTimeout: number };
  /** MCP: the server's hints, as it gave them. */
  annotations?: JsonObject;
}

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
  version: 1;
  agent: string;
  description?: string;
  /** Alias of the model, resolved by the worker. */
  model: string;
  tools: ToolSpec[];
  output?: JsonSchema;
  /** The agent has an outputBuilder, or an output schema: `holdfast.buildOutput` must be asked. */
  checksOutput: boolean;
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
