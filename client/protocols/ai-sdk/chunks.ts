import type { Json, JsonObject } from '../../../agent/values/json';

/** Why a message of the assistant has ended, or stands still. */
export interface FinishMetadata {
  /** Number of the last fact in it: a client that goes on sends it back. */
  facts: number;
  /** The same for agents that work for the run and have asked people, by the path of calls that leads to them. */
  below?: { readonly [path: string]: number };
  /** How the exchange ended. Missing: it goes on. */
  reason?: string;
  /** Why it failed. Missing: it did not. */
  error?: { type: string; message: string };
  /** How many of each a person is waited for. None: the exchange has ended. */
  waiting: { approvals: number; questions: number; calls: number };
  /** Milliseconds since 1970. Missing: it goes on. */
  finishedAt?: number;
}

/** What `start` says about the message. */
export interface StartMetadata {
  /** The run's id. */
  runId: string;
  /** The agent's name. */
  agent: string;
  /** Number of the exchange that the message answers. */
  exchange: number;
  /** Milliseconds since 1970. */
  startedAt?: number;
}

interface ToolChunk {
  toolCallId: string;
  toolName: string;
  dynamic?: true;
}

/**
 * A chunk of the AI SDK's UI message stream, version 1: those of its types that Holdfast sends. A client fails at a type
 * that it does not know, so whatever is Holdfast's own is a data part.
 */
export type UiChunk =
  | { type: 'start'; messageId: string; messageMetadata: StartMetadata }
  | { type: 'finish'; finishReason: 'stop' | 'tool-calls' | 'error' | 'other'; messageMetadata: FinishMetadata }
  | { type: 'start-step' | 'finish-step' }
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; id: string }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }
  | ({ type: 'tool-input-start' } & ToolChunk)
  | { type: 'tool-input-delta'; toolCallId: string; inputTextDelta: string }
  | ({ type: 'tool-input-available'; input: Json } & ToolChunk)
  | ({ type: 'tool-input-error'; input: Json; errorText: string } & ToolChunk)
  | { type: 'tool-approval-request'; approvalId: string; toolCallId: string }
  | { type: 'tool-output-available'; toolCallId: string; output: Json; dynamic?: true }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string; dynamic?: true }
  | { type: 'tool-output-denied'; toolCallId: string }
  | { type: 'error'; errorText: string }
  | { type: 'abort'; reason?: string }
  | { type: `data-${string}`; id?: string; data: JsonObject; transient?: true };
