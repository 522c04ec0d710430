import type { ApprovalPolicy } from '../approvals/approval';
import type { OutputOf, Schema } from '../contracts/schema';
import type { ContentPart } from '../model/message';
import type { Cancellation, Effect, Execution, Placement } from '../protocol/manifest';
import type { Duration } from '../values/duration';
import type { JsonObject } from '../values/json';
import type { Ctx } from './context';

/** A function that the model may call. It runs as an activity named after the tool. */
export interface ToolDefinition<In extends Schema = Schema, Result = unknown> {
  /** Tells the model what the tool does and when to use it. */
  description: string;
  /** What the model must pass. */
  input: In;
  /** What `run` gives back; the model is told, and a result that does not fit is an error result. */
  output?: Schema;
  /** What a retry means. Default `once`. */
  effect?: Effect;
  /** Of one answer's calls only those with the highest priority present run. Default 0. */
  priority?: number;
  /** How long one attempt may take. Default 60 s. */
  timeout?: Duration;
  /**
   * Silence after which the worker of a call counts as dead, at least 2 s. Default: the agent's limit; without one 60 s
   * for `once`, which is never repeated, and 10 s for others.
   */
  heartbeatTimeout?: Duration;
  /** How often it is run when it throws, with back-off; not for `once`. Default 1: the model reads what it threw. */
  attempts?: number;
  /**
   * Default `activity`. `inline` is for quick tools that are not `once`: a call of a `read` tool that nobody has to approve runs
   * where the model was asked, with its answer, if it takes under 500 ms and gives under 64 KB; else in an activity of its own.
   */
  placement?: Placement;
  /** Whether a cancelled run waits for the end of a call under way. Default `wait`; its signal aborts in both cases. */
  cancellation?: Cancellation;
  /** `serial`: calls of the tool in one answer run one after the other, in order. Default `parallel`: at once. */
  execution?: Execution;
  /** Whether calls wait for a person, and for whom. Default `never`. */
  approval?: ApprovalPolicy<OutputOf<In>>;
  /**
   * Does the work. What it returns is the result: a text, anything that JSON can hold, or message parts. What it throws
   * becomes an error result that the model reads, once the `attempts` are used up.
   */
  run(input: OutputOf<In>, ctx: Ctx): Result | Promise<Result>;
  /**
   * The inverse: takes the effect of a call back when a person asks for it (`undo`). `input` is what `run` got, `result`
   * what it returned, as JSON; `ctx.idempotencyKey` is the inverse's own. What it returns is told to the person and to
   * the model; it may be tried again when it throws. Its time and its effect are those of the tool. Default: none, and
   * nothing older is undone past a call of the tool.
   */
  undo?(input: OutputOf<In>, result: Result, ctx: Ctx): unknown;
}

/** A checked tool, as an agent's `tools` hold it. */
export type Tool<In extends Schema = Schema, Result = unknown> = Readonly<ToolDefinition<In, Result>>;

/** A tool of any input and result, as an agent's `tools` hold it. */
export type AnyTool = Omit<Tool, 'run' | 'undo'> & {
  run(input: never, ctx: Ctx): unknown;
  undo?(input: never, result: never, ctx: Ctx): unknown;
};

/** The part of a tool that says how it is run: the same fields for tools of one's own and for those of MCP servers. */
export type RunPolicy = Pick<
  ToolDefinition,
  | 'effect'
  | 'priority'
  | 'timeout'
  | 'heartbeatTimeout'
  | 'attempts'
  | 'placement'
  | 'cancellation'
  | 'execution'
  | 'approval'
>;

/** A call of one of the agent's tools, by its canonical name: `lookup`, or `server.tool`. */
export interface InverseCall {
  /** One of the agent's own, or of an MCP server; the same tool as well. */
  tool: string;
  /** What it is called with. */
  input: JsonObject;
}

/** How one tool of an agent is run, over what it says of itself. */
export interface ToolPolicy extends RunPolicy {
  /**
   * Of an MCP tool: names the call that takes the effect of a call back, from the arguments that it ran with and from
   * what it gave. Tools of one's own have an `undo` themselves.
   */
  undo?(input: JsonObject, content: readonly ContentPart[], ctx: Ctx): InverseCall | Promise<InverseCall>;
  /**
   * Of an MCP tool: how long what it asks a person waits; the server is then told that nobody answered. Default: for ever.
   */
  questionsExpire?: Duration;
}
