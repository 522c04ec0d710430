import type { ResponseAnalysis } from '../analysis/analysis-spec';
import type { BreakerSettings } from '../breakers/breaker-spec';
import type { Budget } from '../budget/budget';
import type { InputOf, OutputOf, Schema } from '../contracts/schema';
import type { ContentPart, MediaPart } from '../model/message';
import type { RepairNames } from '../model/names/name-repair';
import type { ModelSettings } from '../model/settings';
import type { Fact } from '../protocol/facts/fact';
import type { Execution } from '../protocol/manifest';
import type { StreamDelta } from '../protocol/stream';
import type { ToolFilter } from '../tool-filter/tool-filter';
import type { Duration } from '../values/duration';
import type { ContextBuilderArgs, FirstMessage, OutputBuilderArgs } from './builders';
import type { DelegatedBy } from './context';
import type { McpServer } from './mcp-server';
import type { Service } from './service-definition';
import type { ContextSettings } from './settings/context-settings';
import type { PlanStrategy } from './settings/plan-strategy';
import type { PromptSettings } from './settings/prompt-settings';
import type { RunLimits } from './settings/run-limits';
import type { AnyTool, ToolPolicy } from './tool-definition';

/** What an `onStream` listener is told about the run. */
export interface StreamSubject {
  /** Id of the run. */
  subject: string;
  /** Its agent. */
  agent: string;
  /** The call that delegated to it. */
  delegatedBy?: DelegatedBy;
}

/** A tool of the loop itself. */
export type LoopTool = 'ask_question' | 'converse' | 'task_completion';

/** A question that the model may ask a person, as a tool. */
export interface QuestionDefinition {
  /** Tells the model what to ask, and when. Required, except for `ask_question` and `converse`. */
  description?: string;
  /** Schema of the answer; not for `converse`. Default: a text, or what the model asks for. */
  answer?: Schema;
  /** How long it waits. Default: forever. */
  expires?: Duration;
  /** What happens then: the model is told that there was no answer (`tell`, the default), or the run fails. */
  onExpire?: 'tell' | 'fail';
}

/** How a model calls tools: as its provider provides, or in the text of its answer. */
export type ToolCalls = 'native' | 'text';

/** Whether a run of the agent works on one input, or takes one message after another. */
export type Mode = 'task' | 'conversation';

/** What {@link defineAgent} takes. */
export interface AgentDefinition<
  In extends Schema = Schema,
  Out extends Schema = Schema,
  Tools extends { readonly [name: string]: AnyTool } = { readonly [name: string]: AnyTool },
  M extends Mode = Mode,
> {
  /** At least two lower-case words joined by dots: `support.triage`. It is the workflow type. */
  name: string;
  /** For people: `holdfast show` prints it, the model does not see it. */
  description?: string;
  /** The system prompt. An agent has this or a contextBuilder. */
  instructions?: string;
  /**
   * Makes a prompt of named sections: default ones, and texts and functions of yours. The system prompt is made once; the
   * turn message is part of one model call only. Default: the system prompt is `instructions`, and there is no turn message.
   */
  prompt?: PromptSettings<OutputOf<In>>;
  /**
   * Alias of a model in the worker's configuration, or a chain of them: when one fails permanently, the next takes over
   * for the rest of the run. Default `default`.
   */
  model?: string | readonly string[];
  /**
   * `small`: the models are small or local ones. `responseAnalysis`, `breakers`, `repairNames` and `toolFilter` are then on,
   * `limits.maxResultChars` is 6,000, the concluding call has no tools, and a summary of earlier messages comes before the
   * system prompt, where such models follow it best. Without this the summary is the first message and the tools stay, which
   * keeps the provider's prompt cache. Each of them can be set by itself. Default: what the configuration says of the first
   * model of `model`. See docs/guides/small-models.md.
   */
  modelClass?: 'small';
  /**
   * Models for single purposes, by their aliases. Default: the model in use. `planner`, `router` and `synthesis` are for
   * `strategy: 'plan'`. `summary` writes summaries of old messages, like `context.model`.
   */
  models?: { planner?: string; router?: string; synthesis?: string; summary?: string };
  /**
   * `plan`: a model first plans the steps of the task, then each step is one call of one tool, and then a model answers
   * from the results. Where that fails, the single loop goes on. Default: the single loop.
   */
  strategy?: 'plan' | PlanStrategy;
  /**
   * How the model calls tools. `native`: as its provider provides; the default. `text`: in the text of its answer, one call
   * at a time, `<tool>{"server_name": …, "tool_name": …, "arguments": {…}}</tool>`, for models without tool calling. No
   * MCP server may then have the key `local`.
   */
  toolCalls?: ToolCalls;
  /**
   * Whether an answer that stops too early or avoids the work is sent back to the model, and what shows that. Default
   * `true` for small models, else `false`: large models would be asked to go on without a reason now and then.
   */
  responseAnalysis?: boolean | ResponseAnalysis;
  /** When a model that repeats itself, fails again and again, or answers nothing is stopped. All have defaults. */
  breakers?: BreakerSettings;
  /**
   * Whether a call of a tool that does not exist is taken for a call of the one that was meant: without or with its
   * prefix, by an alias, or by a similar name. Default `true` for small models, else `false`.
   */
  repairNames?: boolean | RepairNames;
  /** What happens when the context window of the model fills. All have defaults. */
  context?: ContextSettings;
  /** The output if every model failed; without it the run fails. It must fit `outputSchema`. */
  fallbackAnswer?: InputOf<Out>;
  /** Schema of the input of a run. Without it the input is any JSON. */
  inputSchema?: In;
  /** Schema of the output of a run. Without it the output is the text of the answer. */
  outputSchema?: Out;
  /**
   * Versions of the agent's contract, by number, such as `1.0.0`, so that callers that know an older form of its input or
   * of its answer are still served. What a version has takes the place of what the agent has. A run asks for one when it
   * starts, or gets the newest. Default: `1.0.0` with what the agent has.
   */
  versions?: { readonly [version: string]: AgentVersion };
  /** The key is the tool's name. */
  tools?: Tools;
  /** The key is the server's name in `server.tool`. The value is an alias in the configuration, or a definition. */
  mcp?: { readonly [server: string]: string | McpServer };
  /** Contracts that others fulfil: workflows, agents, receivers of events. The key is the tool's name. */
  services?: { readonly [name: string]: Service };
  /**
   * `task` (the default): a run works on its input and ends with the answer. `conversation`: it takes one message after
   * another (`send`), answers each like a task, and ends when it is closed.
   */
  mode?: M;
  /** How long a conversation waits for a message before it ends. Default: forever. */
  idle?: Duration;
  /**
   * Tools of the loop itself: `ask_question` asks a person and waits, `converse` says something and waits for the
   * reply, `task_completion` gives the result. An agent with `task_completion` cannot answer with plain text. Default
   * none.
   */
  loopTools?: readonly LoopTool[];
  /**
   * Questions that the agent defines, each a tool. The key is its name. The keys `ask_question` and `converse` set how
   * long those wait.
   */
  questions?: { readonly [name: string]: QuestionDefinition };
  /** Outlet through which a run started by an event sends its answer. Default: a signal to the caller's run. */
  replies?: string;
  /**
   * A folder on the worker's machine that the model may read with the tools `list_directory` and `read_file`. Nothing
   * outside it can be read, by links or otherwise. Relative to the worker's working directory.
   */
  files?: { root: string };
  /**
   * A folder on the worker's machine with a folder for each skill: its `SKILL.md` begins with `name` and `description` as
   * YAML between lines of `---`. The model reads names and descriptions in the system prompt, and the rest on demand with
   * the tool `read_skill`. Names and descriptions are pinned when a run starts. Relative to the worker's working directory.
   */
  skills?: { root: string };
  /**
   * Offers the model only the tools that it is likely to need, by similarity to what the conversation is about, and the
   * tool `search_tools` that finds the others. `true`: with the defaults of {@link ToolFilter}. Default `false`, or `true`
   * with `modelClass: 'small'`. An agent with no more tools than `top` offers all of them.
   */
  toolFilter?: boolean | ToolFilter;
  /** How single tools are run, by canonical name. Overrides the tool's own settings and the hints of an MCP server. */
  policies?: { readonly [tool: string]: ToolPolicy };
  /**
   * How the calls of one answer run. `serial`: in order, each when the one before has its result, whatever single tools
   * say. Default `parallel`: at once, except for tools and MCP servers that are `serial`.
   */
  execution?: Execution;
  /**
   * `false` asks the model for one call at a time, like `parallelToolCalls` of `modelSettings`. Default: nothing is
   * sent.
   */
  parallelToolCalls?: boolean;
  /**
   * How the models of the agent answer, field by field before the settings of their aliases. A run pins them, except
   * for the values of `extraHeaders`.
   */
  modelSettings?: ModelSettings;
  /** What a run may spend, together with its child agents. Default: no limit. */
  budget?: Budget;
  /** Limits of a run. All have defaults. */
  limits?: RunLimits;
  /** Makes the system prompt and the first messages from the input. Runs once, in an activity. */
  contextBuilder?(
    args: ContextBuilderArgs<OutputOf<In>>,
  ):
    | undefined
    | { system?: string | null; messages?: readonly FirstMessage[] }
    | Promise<undefined | { system?: string | null; messages?: readonly FirstMessage[] }>;
  /**
   * Returns what a call sends in place of a media part that the model has been shown `seen` times. The stored part
   * never changes. Called for each media part of each call, so it must be fast and pure. Default: media are shown once,
   * then a text names type and format.
   */
  mediaMask?(part: MediaPart, seen: number): ContentPart;
  /**
   * Receives every stream event of the agent's runs as it happens, in the worker. Its errors are logged and ignored.
   * After a crash an event may arrive two times or not at all.
   */
  onStream?(event: StreamDelta | Fact, about: StreamSubject): void | Promise<void>;
  /** Makes the output from the answer, or returns what is wrong with it. Runs in an activity. */
  outputBuilder?(
    args: OutputBuilderArgs,
  ): { data: InputOf<Out> } | { error: string } | Promise<{ data: InputOf<Out> } | { error: string }>;
}

/** What differs between the versions of an agent's contract. */
export type AgentVersion<In extends Schema = Schema, Out extends Schema = Schema> = Pick<
  AgentDefinition<In, Out>,
  'inputSchema' | 'outputSchema' | 'instructions' | 'contextBuilder' | 'outputBuilder' | 'fallbackAnswer'
>;

/** A checked agent. `Input` is what a client passes, `Output` what it gets; `M` decides what its runs can be told. */
export interface Agent<Input = unknown, Output = unknown, M extends Mode = Mode> {
  /** The workflow type of its runs. */
  readonly name: string;
  /** The definition as given, frozen. */
  readonly definition: AgentDefinition;
  /** Types only, never set. */
  readonly types?: { input: Input; output: Output; mode: M };
}
