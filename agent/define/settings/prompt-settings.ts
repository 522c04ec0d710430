import type { Message } from '../../model/message';
import type { Lifecycle } from '../../protocol/calls/lifecycle';
import type { ToolSpec } from '../../protocol/manifest';
import type { Duration } from '../../values/duration';
import type { Ctx } from '../context';

/** What a function of a section of the system prompt is given. */
export interface SystemSectionArgs<Input = unknown> {
  /** The agent itself. */
  agent: { readonly name: string; readonly description?: string };
  /** The input, checked and transformed by the agent's `inputSchema`. */
  input: Input;
  /** The tools that the run has pinned, including those of MCP servers. */
  tools: readonly ToolSpec[];
  /** The run; without `toolUseId` and `idempotencyKey`. */
  ctx: Ctx;
}

/** What a function of a section of the turn message is given. */
export interface TurnSectionArgs {
  /** The agent itself. */
  agent: { readonly name: string; readonly description?: string };
  /** Number of the model call that is about to be made, from 1. */
  turn: number;
  /** Why the model is called. */
  lifecycle: Lifecycle;
  /** Text of the message that is being answered. Empty if it has none. */
  message: string;
  /** The transcript so far. */
  messages: readonly Message[];
  /** The tools that the run has pinned, including those of MCP servers. */
  tools: readonly ToolSpec[];
  /** The run; without `toolUseId` and `idempotencyKey`. Its `signal` aborts when the time of the section is up. */
  ctx: Ctx;
}

/** The text of a section, or a function that makes it. The section is left out for `undefined` and for an empty text. */
export type SectionText<Args> = string | ((args: Args) => string | undefined | Promise<string | undefined>);

/**
 * One section. `null` removes a default section, `true` sends the default text of one that is off. An object says where a
 * new section goes: `before` or `after` a default section or one that is defined above it. Default place: at the end, and
 * in the turn message before the user input.
 */
export type PromptSection<Args> =
  | SectionText<Args>
  | { text: SectionText<Args>; before?: string; after?: string }
  | true
  | null;

/**
 * The prompt of an agent as named sections. `prompt: {}` uses the default ones.
 */
export interface PromptSettings<Input = unknown> {
  /**
   * Sections of the system prompt, by name. They are made once, when a run starts, and pinned; a function that throws is
   * retried as contextBuilder is. Default sections, in order: `instructions` (those of the agent, or what contextBuilder
   * returned), `agentLoop`, `capabilities`, `skills` (of an agent with `skills`), `chainOfThought`.
   */
  system?: { readonly [name: string]: PromptSection<SystemSectionArgs<Input>> };
  /**
   * Sections of the turn message, by name. They are part of one model call only, at the end of its request. Their functions
   * run in the activity of the call. One that throws, takes too long or returns too much is left out, and the fact
   * `prompt.section.failed` tells of it. Default sections, in order: `toolSchemas`, `mcpSchemas` and `callingRules` (only with
   * `toolCalls: 'text'`, else the tools are a field of the request), `planning` and `rag` (places without a default text), `userInput` (the
   * message itself; a text of yours is sent in its place, and repeated after results of tools).
   */
  turn?: { readonly [name: string]: PromptSection<TurnSectionArgs> };
  /** How long a function of a section of the turn message may take, at most 60 s. Default 10 s. */
  timeout?: Duration;
  /**
   * Characters of one section of the turn message, at most 100,000. All of them together may have three times as many. Default
   * 20,000.
   */
  maxChars?: number;
}
