import type { Execution } from '../protocol/manifest';
import type { Duration } from '../values/duration';

interface McpServerSettings {
  /** The operator believes the server's hints also where they loosen a tool's effect. Default false. */
  trusted?: boolean;
  /**
   * Which of its tools wait for a person before they run. `hints`: those that the server does not call read-only or
   * harmless, where it is trusted to say so; of a server that is not trusted all. Default `never`; the agent's
   * `policies` say more of single tools.
   */
  approval?: 'never' | 'always' | 'hints';
  /** `serial`: calls of its tools in one answer run one after the other, in order. Default `parallel`: at once. */
  execution?: Execution;
  /** How long the server may take to start, or to be connected to. Default 30 s. */
  startTimeout?: Duration;
  /** How long one call may be silent: progress that the server reports starts it anew, ten times at most. Default 60 s. */
  timeout?: Duration;
}

/** An MCP server started as a child process and spoken to over its standard input and output. */
export interface McpStdioServer extends McpServerSettings {
  /** The program, looked for on the PATH of the worker. */
  command: string;
  /** Its arguments. Default none. */
  args?: readonly string[];
  /** Environment of the server, added to a minimal one (PATH, HOME and their like). */
  env?: { readonly [name: string]: string };
  /** Its working directory. Default: that of temporal.yaml for an alias, else that of the worker. */
  cwd?: string;
}

/** A value of the worker's environment by its name, so that the value itself stands in no code: `prefix` + value. */
export interface EnvReference {
  /** Name of the variable. */
  env: string;
  /** What stands before the value, such as `Bearer `. */
  prefix?: string;
}

/** An MCP server that is already running, spoken to over HTTP. */
export interface McpHttpServer extends McpServerSettings {
  /** Without user name and password: they belong into `headers`. */
  url: string;
  /** Sent with every request. In an agent's definition by reference only; plain values come from temporal.yaml. */
  headers?: { readonly [name: string]: string | EnvReference };
  /** `http` is Streamable HTTP, `sse` what servers spoke before 2025. Default: the first, and where the server does not know it the other. */
  transport?: 'http' | 'sse';
}

/** An MCP server: one that is started, or one that is running already. */
export type McpServer = McpStdioServer | McpHttpServer;

export function isHttpServer(server: McpServer): server is McpHttpServer {
  return 'url' in server;
}
