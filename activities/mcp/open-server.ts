import type { Log } from '../../agent/context';
import type { JsonObject } from '../../agent/json';

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
  /** The server answered that it did not run the tool: with a JSON-RPC error, or with a question to a person. */
  | { kind: 'refused'; problem: string }
  /** The server was gone before the call could be written. */
  | { kind: 'unsent'; problem: string }
  | { kind: 'died'; problem: string }
  | { kind: 'timeout' }
  /** What it answered is no result of a tool. */
  | { kind: 'unreadable'; problem: string };

export interface McpProgress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

export interface McpCallOptions {
  /** An abort is passed on to the server and rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds; progress does not prolong them. */
  timeout: number;
  onProgress?: ((progress: McpProgress) => void) | undefined;
}

export interface OpenServer {
  /** All pages. @throws ServerFailure */
  listTools(): Promise<McpTool[]>;
  callTool(name: string, args: JsonObject, options: McpCallOptions): Promise<McpCall>;
  /** Resolves when the process is gone, by force if need be: stdin closed, SIGTERM after 2 s, SIGKILL after 4 s. */
  close(): Promise<void>;
  /** Resolves when the connection has ended, for whatever reason. */
  readonly closed: Promise<void>;
}

export interface OpenOptions {
  signal?: AbortSignal;
  /** Gets what the server prints on its standard error, at debug. */
  log?: Log | undefined;
}
