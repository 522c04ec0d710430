export type { ResponseAnalysis } from './analysis/analysis-spec';
export { type AnalysisTables, type Deflection, ENGLISH_TABLES } from './analysis/tables';
export type { BreakerSettings } from './breakers/breaker-spec';
export type { BudgetKind, BudgetLimits } from './budget/amounts';
export type { Budget, BudgetAmounts } from './budget/budget';
export type { Calls } from './budget/report';
/**
 * What agents are made of: definitions, contracts, services, facts and errors.
 * @module holdfast
 */

export type {
  ApprovalEscalation,
  ApprovalPolicy,
  ApprovalRules,
  Decider,
  Decision,
  Grant,
  PendingApproval,
  Remember,
} from './approvals/approval';
export type { Contract, ContractDefinition, ContractVersion, ContractVersions } from './contracts/contract';
export { defineContract } from './contracts/contract';
export { humanReview, toolApproval } from './contracts/human-contracts';
export type { Schema } from './contracts/schema';
export type { MessageReceipt, SentMessage, Steer } from './conversation/messages';
export type { PendingQuestion, Question, QuestionOutcome } from './conversation/questions';
export { defineAgent, defineVersion } from './define/agent';
export type {
  Agent,
  AgentDefinition,
  AgentVersion,
  LoopTool,
  Mode,
  QuestionDefinition,
  StreamSubject,
  ToolCalls,
} from './define/agent-definition';
export type { ContextBuilderArgs, FirstMessage, OutputBuilderArgs } from './define/builders';
export type { Ctx, DelegatedBy, Log } from './define/context';
export type { EnvReference, McpAuth, McpHttpServer, McpServer, McpStdioServer } from './define/mcp-server';
export { agentService, childWorkflow, eventService, signalService } from './define/service';
export type {
  AgentServiceOptions,
  ChildWorkflowOptions,
  EventServiceOptions,
  Service,
  ServiceOptions,
} from './define/service-definition';
export type { CompactArgs, ContextSettings, ContextStrategy } from './define/settings/context-settings';
export type { PlanStrategy } from './define/settings/plan-strategy';
export type {
  PromptSection,
  PromptSettings,
  SectionText,
  SystemSectionArgs,
  TurnSectionArgs,
} from './define/settings/prompt-settings';
export type { RunLimits } from './define/settings/run-limits';
export { defineTool } from './define/tool';
export type { InverseCall, Tool, ToolDefinition, ToolPolicy } from './define/tool-definition';
export type { BusyWorkers } from './errors/busy-workers';
export { type ErrorData, type ErrorType, HoldfastError } from './errors/error';
export type { ChatContent, ChatMessage, ChatToolCall } from './model/chat/chat-message';
export type { ContextBudget } from './model/context-window';
export type { Money } from './model/cost/money';
export type { SpentByChildren, Unpriced } from './model/cost/spending';
export type { Usage } from './model/cost/usage';
export type { ContentPart, MediaPart, Message, Part, ReasoningPart, TextPart } from './model/message';
export { seenCount, type ToolResultPart, type ToolUsePart } from './model/message';
export type { RepairNames } from './model/names/name-repair';
export type { ModelSettings, ToolChoice } from './model/settings';
export type { CompactionMethod, CompactReceipt, CompactRequest } from './protocol/calls/compaction';
export type { Lifecycle } from './protocol/calls/lifecycle';
export type { PendingService } from './protocol/calls/pending-service';
export type { ToolErrorType } from './protocol/calls/tool-call';
export type { ModelSwitch } from './protocol/commands/model-switch';
export type { Undone } from './protocol/commands/undo';
export type { ServiceEvent } from './protocol/event';
export type { EndReason, ExchangeEnd, Fact, FactBody } from './protocol/facts/fact';
export type {
  Cancellation,
  Effect,
  Execution,
  JsonSchema,
  Placement,
  ToolSpec,
} from './protocol/manifest';
export type { Pending, PendingModel } from './protocol/queries';
export type { RunInput, RunResult } from './protocol/run';
export type { DeltaBody, StreamBus, StreamDelta } from './protocol/stream';
export type { ApprovalOutcome } from './state/batch';
export type { BudgetReached, BudgetScope } from './state/budget-state';
export type { CallState, RunState, UnreadMessage } from './state/run-state';
export type {
  AiSdkEmbeddingModel,
  EmbeddingModel,
  EmbeddingServer,
  LocalEmbeddings,
} from './tool-filter/embedding-model';
export type { ToolFilter } from './tool-filter/tool-filter';
export type { Duration } from './values/duration';
export type { Json, JsonObject } from './values/json';
