/**
 * Starts runs, follows them, and sends them messages and decisions. It needs no agent code.
 * @module holdfast/client
 */

export { HoldfastError } from '../agent/errors/error';
export type { GivenEvent, ServiceEvent } from '../agent/protocol/event';
export type { StorageConfig } from '../runtime/config/storage';
export { openStorage } from '../runtime/storage/storage';
export type { TemporalOptions } from '../runtime/temporal/options';
export { AgentClient } from './agent-client';
export type {
  AgentClientOptions,
  ConnectOptions,
  ConversationOptions,
  StartOptions,
} from './client-options';
export type { EventsOptions } from './feed/merge-deltas';
export type { FinishMetadata, StartMetadata, UiChunk } from './protocols/ai-sdk/chunks';
export { toUIMessageStream, type UIMessageStreamOptions } from './protocols/ai-sdk/read';
export {
  type RemoteAgent,
  RemoteClient,
  type RemoteInfo,
  type RemoteOptions,
  type RemoteStartOptions,
  type RemoteUser,
} from './remote/remote-client';
export type { RemoteRun } from './remote/remote-run';
export type { ExchangeResult } from './runs/answer-to';
export type { Ask, ExchangeRef, Turn } from './runs/ask';
export type { HandleOptions, MessageOptions, QuestionRef } from './runs/command-handle';
export { ConversationHandle } from './runs/conversation-handle';
export type { HandleOf } from './runs/handle-of';
export { type ApprovalRef, type ResultOptions, RunHandle } from './runs/run-handle';
export type { Session, SessionFilter, SessionStatus } from './runs/sessions';
export type { EventStartOptions } from './runs/start/start-from-event';
export type { TranscriptOptions } from './runs/transcript';
export type { ClientTemporalOptions } from './temporal-options';
export type { ApprovalCache } from './waits/approval-cache';
export { type ReadWebhookOptions, readWebhook } from './waits/receive-webhook';
export type { AtLeast, Waiting, WaitingOptions } from './waits/waiting';
export type { WaitingFilter, WaitingForPeople } from './waits/waiting-everywhere';
