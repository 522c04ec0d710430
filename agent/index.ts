export type { Lifecycle, ToolErrorType } from './activities';
export type { Ctx, Log } from './context';
export {
  type Agent,
  type AgentDefinition,
  type ContextBuilderArgs,
  defineAgent,
  type EnvReference,
  type FirstMessage,
  type McpHttpServer,
  type McpServer,
  type McpStdioServer,
  type OutputBuilderArgs,
} from './define-agent';
export { defineTool, type Tool, type ToolDefinition, type ToolPolicy } from './define-tool';
export type { Duration } from './duration';
export { type ErrorData, type ErrorType, HoldfastError } from './error';
export type { EndReason, Fact, FactBody } from './fact';
export type { Json, JsonObject } from './json';
export type { Cancellation, Effect, JsonSchema, Limits, Manifest, Placement, ToolSpec } from './manifest';
export {
  type ContentPart,
  type MediaPart,
  type Message,
  type Part,
  type ReasoningPart,
  seenCount,
  type TextPart,
  type ToolResultPart,
  type ToolUsePart,
} from './message';
export type { Usage } from './model-answer';
export type { Schema } from './schema';
export type { AgentState, RunInput, RunResult, RunSummary } from './state';
export type { StreamBus, StreamDelta } from './stream';
