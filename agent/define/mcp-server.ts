import type { Execution } from '../protocol/manifest';
import type { Duration } from '../values/duration';

interface McpServerSettings {
  /** Whether to believe hints of the server that make a tool's effect less strict. Default false. */
  trusted?: boolean;
  /**
   * Which of its tools wait for a person before they run. `hints`: those that a trusted server does not call read-only
   * or harmless, and all tools of a server that is not trusted. Default `never`. The agent's `policies` can set more
   * for single tools.
   */
  approval?: 'never' | 'always' | 'hints';
  /**
   * The tools of the server that the agent gets, by the names that the server gives them; `*` stands for any characters:
   * `['get_*', 'search']`. Default: all of them.
   */
  tools?: readonly string[];
  /** `serial`: calls of its tools in one answer run one by one, in order. Default `parallel`: at once. */
  execution?: Execution;
  /** How long the start of the server, or the connection to it, may take. Default 30 s. */
  startTimeout?: Duration;
  /** How long one call may be silent. Progress restarts the time, up to ten times it in total. Default 60 s. */
  timeout?: Duration;
}

/** An MCP server that runs as a child process and communicates over its standard input and output. */
export interface McpStdioServer extends McpServerSettings {
  /** The program, searched on the PATH of the worker. */
  command: string;
  /** Its arguments. Default none. */
  args?: readonly string[];
  /** Environment variables of the server, in addition to a minimal set (PATH, HOME and the like). */
  env?: { readonly [name: string]: string };
  /**
   * Its working directory. Default: the folder of temporal.yaml for an alias, else the working directory of the worker.
   */
  cwd?: string;
}

/** Refers to a variable of the worker's environment, so that no code contains the value: `prefix` + value. */
export interface EnvReference {
  /** Name of the variable. */
  env: string;
  /** Text before the value, such as `Bearer `. */
  prefix?: string;
}

/**
 * A client of an authorization server, with which a worker gets tokens for an MCP server: OAuth's grant
 * `client_credentials`, which needs no person.
 */
export interface McpAuth {
  /** The id under which the authorization server knows the client. */
  clientId: string;
  /** Its secret. In an agent's definition by reference only; plain values are for temporal.yaml. */
  clientSecret: string | EnvReference;
  /** What to ask for. Default: what the MCP server asks for, else what the authorization server gives by itself. */
  scopes?: readonly string[];
  /**
   * The address of the authorization server. Needed where it is not that of the MCP server: the secret is sent nowhere
   * else, whatever the MCP server says.
   */
  issuer?: string;
}

/** An MCP server that is already running and is called over HTTP. */
export interface McpHttpServer extends McpServerSettings {
  /** Without user name and password: put them in `headers`. */
  url: string;
  /** Sent with every request. In an agent's definition by reference only; plain values are for temporal.yaml. */
  headers?: { readonly [name: string]: string | EnvReference };
  /** How to get tokens with OAuth. Not beside a header `Authorization`. */
  auth?: McpAuth;
  /** `http` is Streamable HTTP, `sse` the transport before 2025. Default: `http`, or `sse` if the server lacks it. */
  transport?: 'http' | 'sse';
}

/** An MCP server that the worker starts, or one that is already running. */
export type McpServer = McpStdioServer | McpHttpServer;

export function isHttpServer(server: McpServer): server is McpHttpServer {
  return 'url' in server;
}
