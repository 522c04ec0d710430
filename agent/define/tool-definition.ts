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
  inputSchema: In;
  /** What `execute` returns. The model is told; a result that does not fit becomes an error result. */
  outputSchema?: Schema;
  /** Whether a call may be repeated. Default `once`. */
  effect?: Effect;
  /** Of one answer's calls only those with the highest priority present run. Default 0. */
  priority?: number;
  /** How long one attempt may take. Default 60 s. */
  timeout?: Duration;
  /**
   * Time without a heartbeat after which the worker of a call counts as dead, at least 2 s. Default: the agent's limit,
   * or without one 60 s for `once`, which is never repeated, and 10 s for others.
   */
  heartbeatTimeout?: Duration;
  /** How often it is run if it throws, with back-off; not for `once`. Default 1: the model reads the error. */
  attempts?: number;
  /**
   * Default `activity`. `inline` is for fast tools that are not `once`: a call of a `read` tool that needs no approval
   * runs in the activity of the model call, with the answer, if it takes under 500 ms and returns under 64 KB; else in
   * a separate activity.
   */
  placement?: Placement;
  /** Whether a cancelled run waits for the end of a running call. Default `wait`. The signal aborts in both cases. */
  cancellation?: Cancellation;
  /** `serial`: calls of the tool in one answer run one by one, in order. Default `parallel`: at once. */
  execution?: Execution;
  /** Whether calls wait for a person, and for which. Default `never`. */
  approval?: ApprovalPolicy<OutputOf<In>>;
  /**
   * Does the work. It returns the result: a text, any JSON value, or message parts. If it throws, the model reads the
   * error as the result once the `attempts` are used up.
   */
  execute(input: OutputOf<In>, ctx: Ctx): Result | Promise<Result>;
  /**
   * The inverse: takes back the effect of a call when a person asks for it (`undo`). `input` is what `execute` got,
   * `result` what it returned, as JSON. `ctx.idempotencyKey` differs from that of the call. The person and the model
   * are told what it returns. It may be retried if it throws. It has the timeout and the effect of the tool. Default:
   * none, and nothing older is undone past a call of the tool.
   */
  undo?(input: OutputOf<In>, result: Result, ctx: Ctx): unknown;
}

/** A checked tool, as in an agent's `tools`. */
export type Tool<In extends Schema = Schema, Result = unknown> = Readonly<ToolDefinition<In, Result>>;

/** A tool with any input and result, as in an agent's `tools`. */
export type AnyTool = Omit<Tool, 'execute' | 'undo'> & {
  execute(input: never, ctx: Ctx): unknown;
  undo?(input: never, result: never, ctx: Ctx): unknown;
};

/** The part of a tool that says how it is run. Tools of the agent and of MCP servers have the same fields. */
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
  /** A tool of the agent or of an MCP server. It may be the same tool. */
  tool: string;
  /** Its arguments. */
  input: JsonObject;
}

/** How one tool of an agent is run. Overrides the tool's own settings. */
export interface ToolPolicy extends RunPolicy {
  /**
   * For MCP tools only: returns the call that takes back the effect of a call, made from its arguments and its result.
   * Tools of the agent define `undo` themselves.
   */
  undo?(input: JsonObject, content: readonly ContentPart[], ctx: Ctx): InverseCall | Promise<InverseCall>;
  /**
   * For MCP tools only: how long a question of the tool waits for a person. The server is then told that there was no
   * answer. Default: forever.
   */
  questionsExpire?: Duration;
}
