export type { Lifecycle } from './activities';
export type { ApprovalPolicy, ApprovalRules, Decider, Decision, Grant, PendingApproval, Remember } from './approval';
export type { Ctx, Log } from './context';
export type { Contract, ContractDefinition, ContractVersion, ContractVersions } from './contract';
export { defineContract } from './contract';
export type {
  Agent,
  AgentDefinition,
  ContextBuilderArgs,
  EnvReference,
  FirstMessage,
  LoopTool,
  McpHttpServer,
  McpServer,
  McpStdioServer,
  OutputBuilderArgs,
  QuestionDefinition,
  StreamSubject,
} from './define-agent';
export { defineAgent } from './define-agent';
export { defineTool, type InverseCall, type Tool, type ToolDefinition, type ToolPolicy } from './define-tool';
export type { Duration } from './duration';
export { type ErrorData, type ErrorType, HoldfastError } from './error';
export type { ServiceEvent } from './event';
export type { EndReason, ExchangeEnd, Fact, FactBody } from './fact';
export { humanReview, toolApproval } from './human-contracts';
export type { Json, JsonObject } from './json';
export type {
  Cancellation,
  DelegatedBy,
  Effect,
  Execution,
  JsonSchema,
  Limits,
  Manifest,
  Placement,
  ToolSpec,
} from './manifest';
export type { ContentPart, MediaPart, Message, Part, ReasoningPart, TextPart } from './message';
export { seenCount, type ToolResultPart, type ToolUsePart } from './message';
export type { Usage } from './model-answer';
export type { PendingService } from './pending-service';
export type { Schema } from './schema';
export type { AgentServiceOptions, ChildWorkflowOptions, EventServiceOptions, ServiceOptions } from './service';
export { agentService, childWorkflow, eventService, type Service, signalService } from './service';
export type { AgentState, Decided, RunInput, RunResult, RunSummary } from './state';
export type { StreamBus, StreamDelta } from './stream';
export type { ContextBudget, PendingQuestion, Question, Replied, Said, Taken, Undone } from './talk';
export type { ToolErrorType } from './tool-call';
