import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../../agent/values/json';
import type { RunHandle } from '../../../client/runs/run-handle';
import type { ChatRequest, ModelReply } from '../../kit/model-reply';
import type { RawReply } from '../../kit/model-server';

/**
 * One answer of the hostile run's model. A function writes it byte by byte; when it is asked again, it
 * answers {@link RECOVERED}.
 */
export type Turn = ModelReply | RawReply | Wild;
export type Wild = (out: ServerResponse, request: ChatRequest) => void | Promise<void>;

/** The model's answer once its script is over, and the answer of a `Wild` turn at the second attempt. */
export const DONE = 'done';
export const RECOVERED = 'recovered';

/** How the hostile run must end: completed with this text, or with an error of this type and text (`Type: message`). */
export type End = { data: string | RegExp } | { error: RegExp };

export interface HostileInput {
  /** Lower-case words joined by hyphens, since it is part of names. */
  name: string;
  /** What the hostile party does. */
  does: string;
  /** The model's answers, turn by turn, then {@link DONE}. */
  script?: readonly Turn[];
  end: End;
  /**
   * What the model reads about its calls, one after the other: the result, or `Type: message`. A single one holds for
   * each call, however many there are. Default: the model makes no calls.
   */
  told?: readonly RegExp[] | RegExp;
  /** The time limit of its MCP server's calls is a minute, so that a flood arrives on a slow machine too. */
  patient?: true;
  /** Part of the fast tests. */
  quick?: true;
}

/** What a hostile MCP server does instead of normal work. */
export interface McpFault {
  /** The definition of its tool `do`, as JSON. */
  tool?: string;
  /** The answer to `tools/call`. Default: the text `fine`. */
  call?: (call: HttpCall) => void | Promise<void>;
}

export interface HttpCall {
  out: ServerResponse;
  id: number;
  params: JsonObject | undefined;
}

export interface HttpInput extends HostileInput {
  server: McpFault;
}

export interface FileInput extends HostileInput {
  /** Fills the folder that the agent may read; `outside` is next to it. */
  prepare(folder: string, outside: string): void | Promise<void>;
  /** Works against the reader during the run, until the signal aborts. */
  meanwhile?(folder: string, outside: string, signal: AbortSignal): Promise<void>;
}

export interface SignalInput extends HostileInput {
  /** Sends something to a run that waits for a person. The result is the answers to the senders, one a line. */
  send(target: Target): Promise<string>;
  /** Each sender must be told that it was refused. */
  refused?: true;
}

/** A run whose call waits for a person, and input that reaches it from outside. */
export interface Target {
  run: RunHandle<unknown>;
  raw: RawClient;
}

/** Sends payloads that no honest client sends. */
export interface RawClient {
  signal(workflowId: string, name: string, payloads: readonly RawPayload[]): Promise<unknown>;
  update(workflowId: string, name: string, payloads: readonly RawPayload[]): Promise<unknown>;
  query(workflowId: string, name: string, payloads: readonly RawPayload[]): Promise<unknown>;
}

export interface RawPayload {
  encoding?: string;
  /** Default: none. */
  data?: string | Uint8Array;
}

export interface TerminalInput extends HostileInput {
  /** Arguments of `holdfast`; `RUN` stands for the id of the hostile run. */
  command: readonly string[];
  /** The output contains the hostile text, escaped. */
  shows: RegExp;
  /** Id of the run. Default: a harmless one. */
  id?: string;
  /** The run waits for a person meanwhile. */
  waits?: true;
}
