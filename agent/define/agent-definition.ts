import type { InputOf, OutputOf, Schema } from '../contracts/schema';
import type { ContentPart, MediaPart } from '../model/message';
import type { Lifecycle } from '../protocol/activities';
import type { Fact } from '../protocol/fact';
import type { Execution, JsonSchema, ToolSpec } from '../protocol/manifest';
import type { StreamDelta } from '../protocol/stream';
import type { Duration } from '../values/duration';
import type { Ctx, DelegatedBy } from './context';
import type { McpServer } from './mcp-server';
import type { Service } from './service-definition';
import type { AnyTool, ToolPolicy } from './tool-definition';

/** A first message as contextBuilder gives it: a text, or parts, and how often the model counts as having seen it. */
export interface FirstMessage {
  /** `user` for what the model is asked, `assistant` for what it is to have said. */
  role: 'user' | 'assistant';
  /** A text, or parts: texts and media. */
  content: string | readonly ContentPart[];
  /** How many model calls count as having shown it already. Default 0; media with more are masked. */
  seenCount?: number;
}

/** What a contextBuilder gets. */
export interface ContextBuilderArgs<Input> {
  /** Why it is called: at the start of a run. */
  lifecycle: Extract<Lifecycle, 'init'>;
  /** The input, checked and transformed by the agent's `input` schema. */
  input: Input;
  /** The tools that the run has pinned, those of MCP servers included. */
  tools: readonly ToolSpec[];
  /** The run; without `toolUseId` and `idempotencyKey`. */
  ctx: Ctx;
}

/** What an outputBuilder gets. */
export interface OutputBuilderArgs {
  /** `json` where the text is JSON, also in a fenced block. */
  type: 'text' | 'json';
  /** The model's text. */
  content: string;
  /** The text as JSON, where it is JSON. */
  parsedContent?: unknown;
  /** JSON Schema of the agent's output, where it has one. */
  outputFormat?: JsonSchema;
  /** The run; without `toolUseId` and `idempotencyKey`. */
  ctx: Ctx;
}

/** What an `onStream` listener is told of the run. */
export interface StreamSubject {
  /** Id of the run. */
  subject: string;
  /** Its agent. */
  agent: string;
  /** Who delegated to it. */
  delegatedBy?: DelegatedBy;
}

/** A tool of the loop itself. */
export type LoopTool = 'ask_question' | 'converse' | 'task_completion';

/** A question that the model may put to a person, as a tool. */
export interface QuestionDefinition {
  /** Tells the model what it asks for, and when. Needed, but for `ask_question` and `converse`. */
  description?: string;
  /** What the answer has to fit; not for `converse`. Default: a text, or what the model asks for. */
  answer?: Schema;
  /** How long it waits. Default: for ever. */
  expires?: Duration;
  /** What happens then: the model is told that nobody answered (`tell`, the default), or the run fails. */
  onExpire?: 'tell' | 'fail';
}

/** What {@link defineAgent} takes. */
export interface AgentDefinition<
  In extends Schema = Schema,
  Out extends Schema = Schema,
  Tools extends { readonly [name: string]: AnyTool } = { readonly [name: string]: AnyTool },
> {
  /** Lower-case words joined by dots, at least two: `support.triage`. It is the workflow type. */
  name: string;
  /** For people: `holdfast show` prints it, the model does not see it. */
  description?: string;
  /** The system prompt. An agent has this or a contextBuilder. */
  instructions?: string;
  /**
   * Alias of a model of the worker's configuration, or a chain of them: when one fails for good the next takes over for
   * the rest of the run. Default `default`.
   */
  model?: string | readonly string[];
  /** The output where every model failed; without it the run fails then. It must fit `output`. */
  fallbackAnswer?: InputOf<Out>;
  /** What a run is started with. Without it any JSON. */
  input?: In;
  /** What the run gives. Without it the text of the answer. */
  output?: Out;
  /** The key is the tool's name. */
  tools?: Tools;
  /** The key is the server's name in `server.tool`; the value an alias of the configuration, or a definition. */
  mcp?: { readonly [server: string]: string | McpServer };
  /** Contracts that others fulfil: workflows, agents, whoever takes an event. The key is the tool's name. */
  services?: { readonly [name: string]: Service };
  /**
   * `task` (the default): a run works on its input and ends with the answer. `conversation`: it takes one message after
   * the other (`send`), each answered like a task, and ends when it is closed.
   */
  mode?: 'task' | 'conversation';
  /** How long a conversation waits for a message before it ends. Default: for ever. */
  idle?: Duration;
  /**
   * Tools of the loop itself: `ask_question` asks a person and waits, `converse` says something and waits for what they
   * say, `task_completion` gives the result; where an agent has the last, a plain text is no answer. Default none.
   */
  loopTools?: readonly LoopTool[];
  /**
   * Questions of the agent's own, each a tool; the key is its name. Under `ask_question` and `converse` stands how long
   * those wait.
   */
  questions?: { readonly [name: string]: QuestionDefinition };
  /** Outlet through which a run that was started by an event sends its answer. Default: a signal to the caller's run. */
  replies?: string;
  /**
   * A folder of the worker's machine that the model may read, by the tools `list_directory` and `read_file`; nothing
   * outside it is reached, by links or otherwise. Relative to the worker's working directory.
   */
  files?: { root: string };
  /** How single tools are run, by canonical name: over what a tool, or an MCP server's hints, say of themselves. */
  policies?: { readonly [tool: string]: ToolPolicy };
  /**
   * How the calls of one answer run. `serial`: one after the other in their order, each when the one before has its
   * result, whatever single tools say. Default `parallel`: at once, but for tools and MCP servers that are `serial`.
   */
  execution?: Execution;
  /** Sent to the model as `parallel_tool_calls`: false asks it for one call at a time. Default: nothing is sent. */
  parallelToolCalls?: boolean;
  /** What bounds a run. All have defaults. */
  limits?: {
    /** Model calls that may ask for tools, self-correction included. Default 25. */
    maxToolInteractions?: number;
    /** Characters of one tool result that the model sees; the whole stays readable. Default 30,000. */
    maxResultChars?: number;
    /** Silence after which a worker counts as dead, at least 2 s. Default 10 s, and 60 s for tools of effect `once`. */
    heartbeatTimeout?: Duration;
    /** How long one attempt of a model call may take; its answer has to be whole after 95 % of that. Default 10 min. */
    modelTimeout?: Duration;
    /**
     * Invalid outputs after which a task, or an exchange of a conversation, fails with `OutputInvalid`. The model reads
     * what is wrong with each but the last. Default 3.
     */
    maxOutputAttempts?: number;
    /**
     * How long a run tries again what its start and its end need of others: the start of MCP servers, contextBuilder and
     * outputBuilder. What a builder throws is tried again, unless it is an `ApplicationFailure.nonRetryable`. Default 10 min.
     */
    startPatience?: Duration;
  };
  /** Makes system prompt and first messages from the input; runs once, in an activity. */
  contextBuilder?(
    args: ContextBuilderArgs<OutputOf<In>>,
  ):
    | undefined
    | { system?: string | null; messages?: readonly FirstMessage[] }
    | Promise<undefined | { system?: string | null; messages?: readonly FirstMessage[] }>;
  /**
   * What a call sends in place of a media part of which the model has been shown `seen` times; what is kept never
   * changes. Called for each media part of each call, so it must be quick and pure. Default: media are shown once, then
   * a text names type and format.
   */
  mediaMask?(part: MediaPart, seen: number): ContentPart;
  /**
   * Sees every stream event of the agent's runs as it happens, in the worker. What it throws is logged and swallowed;
   * after a crash an event may come twice or not at all.
   */
  onStream?(event: StreamDelta | Fact, about: StreamSubject): void | Promise<void>;
  /** Makes the output from the answer, or says what is wrong with it; runs in an activity. */
  outputBuilder?(
    args: OutputBuilderArgs,
  ): { data: InputOf<Out> } | { error: string } | Promise<{ data: InputOf<Out> } | { error: string }>;
}

/** A checked agent. `Input` and `Output` are what a client passes and gets. */
export interface Agent<Input = unknown, Output = unknown> {
  /** The workflow type of its runs. */
  readonly name: string;
  /** The definition as it was given, frozen. */
  readonly definition: AgentDefinition;
  /** Types only, never set. */
  readonly types?: { input: Input; output: Output };
}
