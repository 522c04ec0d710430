import type { ContentPart } from '../model/message';
import type { Lifecycle } from '../protocol/calls/lifecycle';
import type { JsonSchema, ToolSpec } from '../protocol/manifest';
import type { Ctx } from './context';

/** A first message from contextBuilder: a text or parts, and how many model calls count as having shown it. */
export interface FirstMessage {
  /** `user` for what the model is asked, `assistant` for an earlier answer. */
  role: 'user' | 'assistant';
  /** A text, or parts: texts and media. */
  content: string | readonly ContentPart[];
  /** How many model calls count as having shown it already. Default 0. Media with more are masked. */
  seenCount?: number;
}

/** The arguments of a contextBuilder. */
export interface ContextBuilderArgs<Input> {
  /** Why it is called: at the start of a run. */
  lifecycle: Extract<Lifecycle, 'init'>;
  /** The input, checked and transformed by the agent's `inputSchema`. */
  input: Input;
  /** The tools that the run has pinned, including those of MCP servers. */
  tools: readonly ToolSpec[];
  /** The run; without `toolUseId` and `idempotencyKey`. */
  ctx: Ctx;
}

/** The arguments of an outputBuilder. */
export interface OutputBuilderArgs {
  /** `json` if the text is JSON, also in a fenced block. With an `outputSchema`, text may be before and after the JSON. */
  type: 'text' | 'json';
  /** The model's text. */
  content: string;
  /** The parsed JSON, if there is any. */
  parsedContent?: unknown;
  /** JSON Schema of the agent's output, if it has one. */
  outputFormat?: JsonSchema;
  /** The run; without `toolUseId` and `idempotencyKey`. */
  ctx: Ctx;
}
