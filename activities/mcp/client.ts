import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client, isInputRequiredResult, ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Log } from '../../agent/context';
import type { McpStdioServer } from '../../agent/define-agent';
import { milliseconds } from '../../agent/duration';
import { messageOf } from '../../agent/error';
import { canonicalJson } from '../../agent/json';
import { DEFAULT_START_TIMEOUT } from '../../agent/limits';
import { withoutSecrets } from './command-line';
import type { McpCall, McpResult, OpenOptions, OpenServer } from './open-server';
import { ServerFailure } from './server-failure';
import { ServerOutput } from './server-output';
import { untilAborted } from './until-aborted';

/** How long a server may ignore the question for its era before the old handshake is tried, at most. */
const PROBE_TIMEOUT = 10_000;
/** A message over this ends the connection and every call on it: far above any result that is kept. */
const MAX_MESSAGE = 64 * 1024 * 1024;

/** Definitions of servers that speak only the protocol of 2025 and before: they are not asked again. */
const oldServers = new Set<string>();

/**
 * Starts a server and shakes hands.
 * @throws ServerFailure when it does not answer within `startTimeout`; the signal's reason when that aborts
 */
export async function openServer(definition: McpStdioServer, options: OpenOptions = {}): Promise<OpenServer> {
  const key = canonicalJson(definition);
  const timeout = milliseconds(definition.startTimeout) ?? DEFAULT_START_TIMEOUT;
  const limit = AbortSignal.timeout(timeout);
  const stop = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]);
  const start = async (old: boolean): Promise<OpenServer> => {
    const transport = new ServerTransport(definition, options.log);
    const client = new Client(
      { name: 'holdfast', version: '1' },
      { versionNegotiation: { mode: 'auto', probe: { timeoutMs: Math.min(PROBE_TIMEOUT, timeout / 2) } } },
    );
    try {
      // A second later than ours, which spans all attempts; the SDK's counts for each exchange of messages.
      const settings = { timeout: timeout + 1000, ...(old ? { prior: { kind: 'legacy' } as const } : {}) };
      await untilAborted(client.connect(transport, settings), stop);
    } catch (error) {
      const problem = stop.aborted
        ? await transport.explain(`did not answer in ${timeout / 1000} s`)
        : (spawnProblem(error, definition) ?? (await transport.explain(error)));
      await transport.close();
      options.signal?.throwIfAborted();
      // Servers made with some old SDKs exit on anything but `initialize`.
      if (!old && !stop.aborted && codeOf(error) === SdkErrorCode.EraNegotiationFailed) return start(true);
      throw new ServerFailure(problem, error);
    }
    if (client.getProtocolEra() === 'legacy') oldServers.add(key);
    return connected(client, transport, timeout);
  };
  try {
    return await start(oldServers.has(key));
  } catch (error) {
    // A newer server may have taken its place: ask again next time.
    oldServers.delete(key);
    throw error;
  }
}

function connected(client: Client, transport: ServerTransport, startTimeout: number): OpenServer {
  return {
    closed: transport.gone,
    close: () => transport.close(),
    async listTools() {
      // Without this question the SDK writes a line to our standard output.
      if (client.getServerCapabilities()?.tools === undefined) return [];
      try {
        return (await client.listTools(undefined, { timeout: startTimeout })).tools;
      } catch (error) {
        const late = codeOf(error) === SdkErrorCode.RequestTimeout;
        const problem = await transport.explain(late ? `no answer in ${startTimeout / 1000} s` : error);
        throw new ServerFailure(`did not list its tools: ${problem}`, error);
      }
    },
    async callTool(name, args, { signal, timeout, onProgress }) {
      signal?.throwIfAborted();
      try {
        const result: unknown = await client.callTool(
          { name, arguments: args },
          {
            timeout,
            allowInputRequired: true,
            // Without an output schema: the SDK throws away a result that does not fit, though the tool has run.
            toolDefinition: { name, inputSchema: { type: 'object' } },
            ...(signal === undefined ? {} : { signal }),
            ...(onProgress === undefined ? {} : { onprogress: onProgress }),
          },
        );
        if (isInputRequiredResult(result)) return { kind: 'refused', problem: 'it asks a person for input' };
        return { kind: 'result', result: result as McpResult };
      } catch (error) {
        // The SDK gives an abort the code of a timeout.
        signal?.throwIfAborted();
        return failedCall(error, transport);
      }
    },
  };
}

async function failedCall(error: unknown, transport: ServerTransport): Promise<McpCall> {
  if (error instanceof ProtocolError) return { kind: 'refused', problem: error.message };
  if (codeOf(error) === SdkErrorCode.RequestTimeout) return { kind: 'timeout' };
  const problem = await transport.explain(error);
  if (neverSent(error)) return { kind: 'unsent', problem };
  return { kind: codeOf(error) === SdkErrorCode.ConnectionClosed ? 'died' : 'unreadable', problem };
}

function codeOf(error: unknown): SdkErrorCode | undefined {
  return error instanceof SdkError ? error.code : undefined;
}

/** The SDK throws a plain Error when the transport is gone before the request is made. */
function neverSent(error: unknown): boolean {
  return codeOf(error) === SdkErrorCode.NotConnected || messageOf(error) === 'Not connected';
}

/** The SDK lists what it misses in an answer over many lines. */
function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replace(/\s+/g, ' ').slice(0, 300);
}

function spawnProblem(error: unknown, { command, cwd }: McpStdioServer): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'ENOENT' && cwd !== undefined && !existsSync(cwd)) return `working directory \`${cwd}\` not found`;
  if (code === 'ENOENT') return `command \`${command}\` not found`;
  if (code === 'EACCES') return `command \`${command}\` may not be executed`;
  return undefined;
}

/**
 * The SDK's transport, which also knows how its process ended and waits for that. That it is a subclass has a second
 * use: the SDK then asks for the era in this very process, not in one that it starts before and throws away.
 */
class ServerTransport extends StdioClientTransport {
  /** Resolves when the process and its streams have ended. */
  readonly gone: Promise<void>;
  readonly #definition: McpStdioServer;
  readonly #output: ServerOutput;
  #markGone: () => void = () => {};
  #exited: Promise<void> = Promise.resolve();

  constructor(definition: McpStdioServer, log: Log | undefined) {
    const { command, args = [], env, cwd } = definition;
    super({
      command,
      args: [...args],
      stderr: 'pipe',
      maxBufferSize: MAX_MESSAGE,
      ...(env === undefined ? {} : { env: { ...env } }),
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#definition = definition;
    this.#output = new ServerOutput((line) =>
      log?.debug({ command, line: withoutSecrets(line, definition) }, 'stderr of an MCP server'),
    );
    this.gone = new Promise((resolve) => {
      this.#markGone = resolve;
    });
    this.stderr?.on('data', (chunk) => this.#output.stderr(String(chunk)));
  }

  override async start(): Promise<void> {
    await super.start();
    // A private field of the SDK, whose version is pinned; without it errors only lose the exit code.
    const child: ChildProcess | undefined = Reflect.get(this, '_process');
    if (child === undefined) return;
    this.#output.watch(child);
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()));
    child.once('close', () => this.#markGone());
    child.stdout?.on('data', (chunk) => this.#output.stdout(String(chunk)));
  }

  /** The SDK does not wait after its SIGKILL. */
  override async close(): Promise<void> {
    await super.close();
    await this.#exited;
  }

  /** One line on what went wrong and what the server said; never a value of its environment. */
  async explain(error: unknown): Promise<string> {
    // Last words on stderr pass through one more stream than the end of the process.
    await nextTurn();
    const lost = neverSent(error) || LOST.has(codeOf(error));
    const text = (lost ? this.#output.end() : undefined) ?? oneLine(error);
    return withoutSecrets(text + this.#output.complaint(), this.#definition);
  }
}

const LOST = new Set<unknown>([SdkErrorCode.ConnectionClosed, SdkErrorCode.EraNegotiationFailed]);
