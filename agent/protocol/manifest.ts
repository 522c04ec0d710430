import type { ApprovalSpec } from '../approvals/approval';
import type { DelegatedBy } from '../define/context';
import type { Json, JsonObject } from '../values/json';

/** A JSON Schema: draft 2020-12 of schemas of one's own, what the server says of MCP tools. */
export type JsonSchema = JsonObject;

/**
 * What a retry of a tool means. `once`: it must not run twice, so it gets one attempt and an unknown outcome is told
 * instead of tried again. `idempotent`: it may be repeated under the same idempotency key. `read`: it changes nothing.
 */
export type Effect = 'once' | 'idempotent' | 'read';

/**
 * Where a tool runs. `activity`: in an activity of its own. `inline`: for quick tools. Those of effect `read` run where the
 * model was asked, with the answer that calls them, if nobody has to approve one of its calls; else as activities as well.
 */
export type Placement = 'activity' | 'inline';

/** How calls of one answer run: `parallel`, all at once, or `serial`, one after the other in the order of the calls. */
export type Execution = 'parallel' | 'serial';

/** `wait`: the run waits until the tool has ended (its signal aborts, its grace is 2 s). `abandon`: it goes on without. */
export type Cancellation = 'wait' | 'abandon';

/** What a run has pinned of every service. */
interface ReachedSomehow {
  /** The contract and its version. */
  contract: {
    /** Identifies the contract. */
    uri: string;
    /** Its version. */
    version: string;
    /** Type of the event that it accepts. */
    accepts: string;
    /** JSON Schemas of the answers, by event type. */
    emits: { [type: string]: JsonSchema };
    /** Type of the event that says that it failed. */
    systemError: string;
  };
  /** The contract wants to know who asks: `parentSubject$$` is put back into the arguments. */
  parentSubject?: true;
  /** Milliseconds that the run waits for an answer. Missing: for ever. */
  timeout?: number;
  /** Where it is handled. */
  domain?: string;
}

interface ReachedAsChild {
  /** The workflow's type, of an agent its name. */
  workflow: string;
  /** Where its worker polls. Missing: the task queue of the run. */
  taskQueue?: string;
  /** What becomes of it when the run ends first. */
  parentClosePolicy: 'cancel' | 'terminate' | 'abandon';
}

interface ReachedByEvent {
  /** Name of the outlet. */
  outlet: string;
  /** Whom the event is for. */
  to: string;
}

/**
 * A service as a run has pinned it: who fulfils the contract, and how it is reached: as a child workflow (`form: 'event'`: it
 * takes and returns whole events), as another agent, by an event that an outlet sends, or by nothing but the wait.
 */
export type ServiceSpec = ReachedSomehow &
  (
    | ({ kind: 'child'; form?: 'event' } & ReachedAsChild)
    | ({ kind: 'agent' } & ReachedAsChild)
    | ({ kind: 'event' } & ReachedByEvent)
    | { kind: 'signal' }
  );

/** How a tool of an MCP server is called. */
export interface McpSpec {
  /** The agent's key of the server. */
  server: string;
  /** The tool's name there. */
  tool: string;
  /** Milliseconds that a start of the server may take. */
  startTimeout: number;
  /** Milliseconds that what the server asks a person waits. Missing: for ever. */
  questionsExpire?: number;
}

/** What a tool of the loop itself does: it asks a person, says something to them, or gives the result. */
export interface LoopSpec {
  /** What it does. */
  does: 'ask' | 'converse' | 'complete';
  /** Ask: JSON Schema of the answer. Missing: a text, unless the model asks for more. */
  schema?: JsonSchema;
  /** Milliseconds that a question waits. Missing: for ever. */
  expires?: number;
  /** What happens then: the model is told, or the run fails. */
  onExpire?: 'tell' | 'fail';
}

/** What a run has pinned of every tool, with all defaults filled in. */
interface AnyToolSpec {
  /** Canonical name, unique in the agent: `lookup`, or `server.tool` for MCP. */
  name: string;
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
  /** `inline`: of effect `read`, it may run with the answer that calls it. */
  placement: Placement;
  /** What a cancel does with a call under way. */
  cancellation: Cancellation;
  /**
   * Calls of one answer run one after the other, in order: those of this tool, or those of all tools of its server that
   * say so. Missing: at once.
   */
  serial?: 'tool' | 'server';
  /** Its effect can be taken back. */
  undo?: true;
  /** Calls that wait for a person. Missing: none does. */
  approval?: ApprovalSpec;
  /** MCP: the server's hints, as it gave them. */
  annotations?: JsonObject;
}

/** A tool before the whole table of names is known. */
export type UnnamedTool = AnyToolSpec &
  (
    | { /** A function of the agent's. */ kind: 'internal' }
    | { /** A tool of an MCP server. */ kind: 'mcp'; mcp: McpSpec }
    | { /** A contract that somebody else fulfils. */ kind: 'service'; service: ServiceSpec }
    | { /** A tool that speaks to a person or ends the loop. */ kind: 'loop'; loop: LoopSpec }
  );

/** A tool as a run has pinned it. `modelName` is what the model calls it, see `name-table.ts`. */
export type ToolSpec = UnnamedTool & { modelName: string };

/** Tools of one kind. */
export type ToolOf<Kind extends ToolSpec['kind']> = Extract<ToolSpec, { kind: Kind }>;

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
  /** Invalid outputs of one task, or one exchange, after which it fails. Default 3. */
  maxOutputAttempts: number;
  /** Milliseconds that MCP servers, contextBuilder and outputBuilder are tried again. Default 600,000. */
  startPatience: number;
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
  /** Milliseconds that the run waits for each of them while it does not answer. Missing: it does not. */
  modelPatience?: { [alias: string]: number };
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
  /** The run takes one message after the other. Missing: it is a task, and ends with its answer. */
  mode?: 'conversation';
  /** Conversation: milliseconds without a message after which it ends. Missing: it never does by itself. */
  idle?: number;
  /** All calls of one answer run one after the other, in order. Missing: as their tools say. */
  execution?: 'serial';
  /** Sent to the model as `parallel_tool_calls`. Missing: nothing is sent. */
  parallelToolCalls?: boolean;
  /** The answer is given by `task_completion`: a plain text is none. */
  completes?: true;
  /** Tokens that fit into one call, of the models the smallest. Missing: not known. */
  contextWindow?: number;
  /** Outlet through which the completion event of a run is sent that an event started. */
  replies?: string;
  /** The agent listens (`onStream`): facts are told to it as they happen. */
  observed?: true;
  /** The worker makes spans of it. */
  traced?: true;
  /** The worker found the search attributes registered: the run may write them. */
  searchAttributes: boolean;
}

/** What a run pins beside its manifest. */
export interface RunContext {
  system?: string;
  owner?: string;
  metadata: { [key: string]: Json };
  /** Who delegated to this run. */
  delegatedBy?: DelegatedBy;
  /** The run's own place in its trace; where it makes no spans, its caller's. */
  traceparent?: string;
}

/** Hashes that name a pinned manifest and a pinned context; a worker that holds neither asks the run for them. */
export interface Pin {
  manifest: string;
  context: string;
}
