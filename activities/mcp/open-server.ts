import type { Log } from '../../agent/define/context';
import type { ResumeTool } from '../../agent/protocol/calls/tool-call';
import type { JsonObject } from '../../agent/values/json';

/** A tool as its server lists it. */
export interface McpTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: object;
  outputSchema?: object | undefined;
  annotations?: object | undefined;
}

export type McpContent =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | {
      type: 'resource';
      resource: { uri: string; mimeType?: string | undefined } & ({ text: string } | { blob: string });
    }
  | { type: 'resource_link'; uri: string; name: string };

export interface McpResult {
  content: McpContent[];
  structuredContent?: unknown;
  isError?: boolean | undefined;
}

/** How a call ended. `died`, `timeout` and `unreadable` leave open whether it took effect; the others do not. */
export type McpCall =
  | { kind: 'result'; result: McpResult }
  /** The server wants to be called again, with what it asks for and its own `state`. */
  | { kind: 'asks'; requests: { [key: string]: unknown }; state?: string }
  /** The server answered with a JSON-RPC error, so it did not run the tool. */
  | { kind: 'refused'; problem: string }
  /** The call did not reach the server, or the server rejected it unread. */
  | { kind: 'unsent'; problem: string }
  | { kind: 'died'; problem: string }
  /** No answer and no progress for `after` milliseconds, or no answer for so long in spite of progress. */
  | { kind: 'timeout'; after: number }
  /** Its answer is not a valid tool result. */
  | { kind: 'unreadable'; problem: string };

export interface McpProgress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

export interface McpCallOptions {
  /** An abort is passed on to the server and rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds of silence; progress restarts the time, up to ten times as long in total. */
  timeout: number;
  /** The tool's own schema: parts of the arguments may have to be sent as headers too. */
  inputSchema?: JsonObject | undefined;
  onProgress?: ((progress: McpProgress) => void) | undefined;
  /** Resumes a call in which the server asked for something. */
  resume?: ResumeTool | undefined;
  /** The place of the call in its trace, for `_meta` (W3C Trace Context). */
  traceparent?: string | undefined;
}

export interface OpenServer {
  /** The version of the protocol that was agreed on, such as `2025-11-25`. */
  readonly era: string;
  /**
   * The wanted ones of all pages, never from a cache.
   * @param wanted by name; default: all
   * @throws ServerFailure, SessionExpired
   */
  listTools(wanted?: (tool: string) => boolean): Promise<McpTool[]>;
  /** @throws SessionExpired, the signal's reason */
  callTool(name: string, args: JsonObject, options: McpCallOptions): Promise<McpCall>;
  /**
   * Over HTTP the session is ended. A process is gone when this resolves, if necessary by force: stdin closed, SIGTERM
   * after 2 s, SIGKILL after 4 s.
   */
  close(): Promise<void>;
  /** Resolves when the connection has ended, for whatever reason. */
  readonly closed: Promise<void>;
  /** It stays connected for calls in progress, but new calls need another connection. */
  readonly stale: boolean;
}

export interface OpenOptions {
  signal?: AbortSignal;
  /** Logs what the server prints on standard error at debug, and changes of its tools at info. */
  log?: Log | undefined;
}
