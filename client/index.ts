export { HoldfastError } from '../agent/error';
export type { GivenEvent, ServiceEvent } from '../agent/event';
export {
  AgentClient,
  type AgentClientOptions,
  type ConnectOptions,
  type SendOptions,
  type StartOptions,
} from './agent-client';
export type { ExchangeResult } from './answer-to';
export type { ApprovalCache } from './approval-cache';
export type { PendingFilter } from './pending';
export { type ReadWebhookOptions, readWebhook } from './receive-webhook';
export { type ApprovalRef, type EventsOptions, RunHandle } from './run-handle';
export type { Session, SessionFilter, SessionStatus } from './sessions';
export type { EventStartOptions } from './start-from-event';
export type { QuestionRef, SayOptions } from './talk-handle';
