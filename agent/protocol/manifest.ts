import type { AnalysisSpec } from '../analysis/analysis-spec';
import type { ApprovalSpec } from '../approvals/approval';
import type { BreakerSpec } from '../breakers/breaker-spec';
import type { BudgetSpec } from '../budget/budget';
import type { PriceSpec } from '../budget/price-spec';
import type { DelegatedBy } from '../define/context';
import type { Limits } from '../limits';
import type { ModelSpec, PinnedSettings } from '../model/model-spec';
import type { RepairNames } from '../model/names/name-repair';
import type { PurposeModels } from '../strategy/call-purpose';
import type { ToolFilterSpec } from '../tool-filter/tool-filter';
import type { Json, JsonObject } from '../values/json';
import type { ContextSpec } from '../window/context-spec';
import type { PromptSpec, SkillSpec } from './prompt-spec';
import type { ServiceSpec } from './service-spec';

/** A JSON Schema: draft 2020-12 for schemas of the agent, unchanged from the server for MCP tools. */
export type JsonSchema = JsonObject;

/**
 * Whether a tool may be repeated. `once`: it must not run twice, so it gets one attempt, and an unknown outcome is
 * reported instead of retried. `idempotent`: it may be repeated with the same idempotency key. `read`: it changes
 * nothing.
 */
export type Effect = 'once' | 'idempotent' | 'read';

/**
 * Where a tool runs. `activity`: in a separate activity. `inline`: for fast tools. Those with effect `read` run in the
 * activity of the model call, with the answer that calls them, if no call of the answer needs approval; else in a
 * separate activity as well.
 */
export type Placement = 'activity' | 'inline';

/** How calls of one answer run: `parallel`, all at once, or `serial`, one by one in the order of the calls. */
export type Execution = 'parallel' | 'serial';

/**
 * `wait`: the run waits until the tool has ended (its signal aborts, with 2 s of grace). `abandon`: it does not wait.
 */
export type Cancellation = 'wait' | 'abandon';

/** How a tool of an MCP server is called. */
export interface McpSpec {
  /** The agent's key of the server. */
  server: string;
  /** The tool's name there. */
  tool: string;
  /** Milliseconds that a start of the server may take. */
  startTimeout: number;
  /** Milliseconds that a question of the server waits for a person. Missing: forever. */
  questionsExpire?: number;
}

/**
 * What a tool of the loop itself does: ask a person, say something to them, take the result, or show a plan to a person
 * before it runs.
 */
export interface LoopSpec {
  /** What it does. */
  does: 'ask' | 'converse' | 'complete' | 'plan';
  /** Ask: JSON Schema of the answer. Missing: a text, unless the model asks for more. */
  schema?: JsonSchema;
  /** Milliseconds that a question waits. Missing: forever. */
  expires?: number;
  /** What happens then: the model is told, or the run fails. */
  onExpire?: 'tell' | 'fail';
}

/** What a run pins for every tool, with all defaults filled in. */
interface AnyToolSpec {
  /** Canonical name, unique in the agent: `lookup`, or `server.tool` for MCP. */
  name: string;
  /** The description for the model. */
  description: string;
  /** Schema of its arguments. */
  inputSchema: JsonSchema;
  /** Schema of its result, if the tool has one. */
  outputSchema?: JsonSchema;
  /** Whether it may be repeated. */
  effect: Effect;
  /** Of one answer's calls only those with the highest priority present run. */
  priority: number;
  /** Milliseconds that one attempt may take. For an MCP tool: milliseconds that it may be silent. */
  timeout: number;
  /** Milliseconds without a heartbeat after which its worker counts as dead. Default: the agent's. */
  heartbeatTimeout?: number;
  /** How often it is run if it throws. 1: its error goes to the model at once. */
  attempts: number;
  /** `inline`: with effect `read`, it may run with the answer that calls it. */
  placement: Placement;
  /** What a cancel does to a running call. */
  cancellation: Cancellation;
  /**
   * Calls of one answer run one by one, in order: those of this tool, or those of all tools of its server that have
   * this setting. Missing: at once.
   */
  serial?: 'tool' | 'server';
  /** Its effect can be undone. */
  undo?: true;
  /** Which calls wait for a person. Missing: none. */
  approval?: ApprovalSpec;
  /** MCP: the hints of the server, unchanged. */
  annotations?: JsonObject;
}

/** A tool before the names for the model are known. */
export type UnnamedTool = AnyToolSpec &
  (
    | { /** A function of the agent. */ kind: 'internal' }
    | { /** A tool of an MCP server. */ kind: 'mcp'; mcp: McpSpec }
    | { /** A contract that another system fulfils. */ kind: 'service'; service: ServiceSpec }
    | { /** A tool that speaks to a person or ends the loop. */ kind: 'loop'; loop: LoopSpec }
  );

/** A tool as a run has pinned it. `modelName` is its name for the model, see `name-table.ts`. */
export type ToolSpec = UnnamedTool & { modelName: string };

/** Tools of one kind. */
export type ToolOf<Kind extends ToolSpec['kind']> = Extract<ToolSpec, { kind: Kind }>;

/** How a run works on a task: it plans, runs the steps of the plan, and answers from their results. */
export interface StrategySpec {
  type: 'plan';
  /** How many tools a router chooses from. */
  stepTools: number;
}

/** The serialisable form of an agent that a run pins when it starts, so that a deploy never changes it midway. */
export interface Manifest {
  /** Version of this shape. */
  version: 1;
  /** Version of what the workflow decides, see `decisions.ts`. Missing: the first. */
  decisions?: number;
  /** Its name. */
  agent: string;
  /** The version of its contract that the run works by. Missing: it has only one. */
  contractVersion?: string;
  /** For people. */
  description?: string;
  /** Aliases of models, resolved by the worker: the first one, and those that take over when it fails. */
  models: string[];
  /** Aliases of the models with a purpose of their own. Missing: the model in use has them all. */
  purposes?: PurposeModels;
  /** How it works on a task. Missing: in a single loop. */
  strategy?: StrategySpec;
  /** What they were on the worker that started the run. Missing: it did not say. */
  modelSpecs?: { [alias: string]: ModelSpec };
  /** Prices of its models that have any. */
  prices?: { [alias: string]: PriceSpec };
  /** What its runs may spend. Missing: nothing is limited. */
  budget?: BudgetSpec;
  /** Milliseconds that the run waits for each of them while it does not answer. Missing: it does not. */
  modelPatience?: { [alias: string]: number };
  /** The output if every model failed. */
  fallbackAnswer?: Json;
  /** All tools: the agent's own, the built-in ones, and those of its MCP servers. */
  tools: ToolSpec[];
  /** Which of them a call offers. Missing: all. */
  toolFilter?: ToolFilterSpec;
  /** JSON Schema of the output. */
  output?: JsonSchema;
  /** The agent has an outputBuilder or an output schema: `holdfast.buildOutput` must be called. */
  checksOutput: boolean;
  /** With defaults filled in. */
  limits: Limits;
  /** The run takes one message after another. Missing: it is a task and ends with its answer. */
  mode?: 'conversation';
  /** Conversation: milliseconds without a message after which it ends. Missing: it does not end by itself. */
  idle?: number;
  /** All calls of one answer run one by one, in order. Missing: as set for their tools. */
  execution?: 'serial';
  /** Sent to the model as `parallel_tool_calls`. Missing: nothing is sent. */
  parallelToolCalls?: boolean;
  /** How its models answer, before what their aliases say. */
  modelSettings?: PinnedSettings;
  /** The tool choice of the agent, or of a model of its chain, forces a call. */
  forcesCall?: true;
  /** The model calls tools in its text. Missing: as its provider provides. */
  toolCalls?: 'text';
  /** Only `task_completion` gives the answer: plain text does not count. */
  completes?: true;
  /** Tokens that fit into one call, for the model with the smallest window. Missing: not known. */
  contextWindow?: number;
  /** How it uses the window. Missing: nothing is set, and old messages are left out. */
  context?: ContextSpec;
  /** Its models are small: a summary comes before the system prompt, and the concluding call has no tools. */
  modelClass?: 'small';
  /** The turn message of its calls. Missing: there is none. */
  prompt?: PromptSpec;
  /** Its skills. Missing: it has none. */
  skills?: SkillSpec[];
  /** When a model that makes no progress is stopped. Missing: never (the run began with an earlier version). */
  breakers?: BreakerSpec;
  /** How answers are analysed. Missing: they are not. */
  analysis?: AnalysisSpec;
  /** Names of tools that the model writes almost right are repaired. Missing: they are unknown tools. */
  nameRepair?: RepairNames;
  /** Outlet that sends the completion event of a run that was started by an event. */
  replies?: string;
  /** The agent has `onStream`, which gets facts as they happen. */
  observed?: true;
  /** The worker makes spans of the run. */
  traced?: true;
  /** Each history of the run is kept in the archive when it has ended. */
  archives?: true;
  /** The worker found the search attributes registered, so the run may write them. */
  searchAttributes: boolean;
}

/** What a run pins in addition to its manifest. */
export interface RunContext {
  system?: string;
  owner?: string;
  metadata: { [key: string]: Json };
  /** The call that delegated to this run. */
  delegatedBy?: DelegatedBy;
  /** The `traceparent` of the run, or of its caller if the run makes no spans. */
  traceparent?: string;
}

/** Hashes of a pinned manifest and a pinned context. A worker that does not have them asks the run. */
export interface Pin {
  manifest: string;
  context: string;
}
