import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type JSONRPCMessage, SdkError, SdkErrorCode, serializeMessage } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import type { Log } from '../../../agent/define/context';
import type { McpStdioServer } from '../../../agent/define/mcp-server';
import { defined } from '../../../agent/values/defined';
import { secretsHider } from '../secrets';
import { ServerOutput } from '../server-output';
import { LineReader } from './line-reader';
import type { Explained, Link } from './link';
import { Turns } from './parse-turns';
import { endGroup } from './process-group';
import { codeOf, neverSent, oneLine, told } from './sdk-errors';
import { IdleTime } from './traffic/idle-time';
import { each, OpenRequests } from './traffic/open-requests';

/** How many milliseconds a server has to end by itself after its input ends, and then again after SIGTERM. */
const PATIENCE = 2000;
/** Bytes of requests that a server may leave unread. */
const MAX_UNREAD = 64 * 1024 * 1024;
/** How many milliseconds output may still arrive after a process ended: a child of it may hold the stream open. */
const LAST_OUTPUT = 500;

/**
 * A server as a child process. Not the SDK's transport, since that one copies the whole message again for every 64 KB
 * of it (20 MB block the worker for ten seconds), starts the server in the worker's process group, where a Ctrl-C ends
 * it before its calls are done, and starts a second process to ask for the era.
 */
export class StdioTransport implements Link {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Link['onmessage'];
  readonly gone: Promise<void>;
  readonly stale = false;
  slow = false;
  readonly idle = new IdleTime();
  /** From this and `pid` the SDK recognises a pipe, where silence may mean an old server. */
  readonly stderr = null;
  readonly #definition: McpStdioServer;
  readonly #output: ServerOutput;
  readonly #requests = new OpenRequests();
  #child: ChildProcessWithoutNullStreams | undefined;
  #closing: Promise<void> | undefined;
  /** Settles when no process of its group is left. */
  #rest: Promise<void> | undefined;
  #drained: Promise<void> | undefined;
  /** Why we ended it. */
  #problem: string | undefined;
  #lasting = false;
  #markGone: () => void = () => {};

  constructor(definition: McpStdioServer, log: Log | undefined) {
    const { command } = definition;
    this.#definition = definition;
    this.#output = new ServerOutput(secretsHider(definition), (line) =>
      log?.debug({ command, line }, 'stderr of an MCP server'),
    );
    this.gone = new Promise((resolve) => {
      this.#markGone = resolve;
    });
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  async start(): Promise<void> {
    const { command, args = [], env, cwd } = this.#definition;
    const child = spawn(command, args, {
      env: { ...getDefaultEnvironment(), ...env },
      // A separate process group: Ctrl-C in a terminal is meant for the worker, which ends its servers when it is done.
      detached: true,
      ...defined({ cwd }),
    });
    this.#child = child;
    this.#output.watch(child);
    const turns = new Turns(
      (line: string) => this.#read(line),
      (some) => {
        if (some) {
          this.idle.begin();
          child.stdout.pause();
        } else {
          this.idle.end();
          child.stdout.resume();
        }
      },
      () => this.slow,
    );
    let read: string[] = [];
    const lines = new LineReader((line) => read.push(line));
    child.stdout.on('data', (chunk: Buffer) => {
      this.#output.stdout(chunk);
      const excess = this.#closing === undefined ? lines.add(chunk) : undefined;
      turns.add(read);
      read = [];
      if (excess !== undefined) this.#giveUp(`it sent a message of ${excess}`, { lasting: true });
    });
    child.stderr.on('data', (chunk: Buffer) => this.#output.stderr(String(chunk)));
    for (const stream of [child.stdin, child.stdout]) stream.on('error', (error) => this.onerror?.(error));
    child.once('exit', () => {
      this.#rest ??= endGroup(child.pid as number, PATIENCE);
      const destroy = () => [child.stdout, child.stderr].map((stream) => stream.destroy());
      setTimeout(destroy, LAST_OUTPUT).unref();
    });
    child.once('close', async () => {
      if (this.#closing !== undefined) turns.drop();
      await turns.done();
      this.#markGone();
      // The last message may be on its way to the client.
      setImmediate(() => this.onclose?.());
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        this.#markGone();
        reject(error);
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin?.writable !== true) throw new SdkError(SdkErrorCode.NotConnected, 'Not connected');
    this.#requests.sent(message);
    if (stdin.write(serializeMessage(message))) return;
    // A server may send requests without end and read no answer: the answers would fill the worker's memory.
    if (stdin.writableLength > MAX_UNREAD) this.#giveUp('it does not read what is sent to it');
    this.#drained ??= new Promise((resolve) => {
      const drained = () => {
        this.#drained = undefined;
        stdin.off('drain', drained).off('close', drained);
        resolve();
      };
      stdin.once('drain', drained).once('close', drained);
    });
    await this.#drained;
  }

  #giveUp(problem: string, { lasting = false } = {}): void {
    if (this.#problem === undefined) this.#lasting = lasting;
    this.#problem ??= problem;
    this.onerror?.(new Error(problem));
    void this.close();
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    child.stdin.end();
    if (!(await endsWithin(child, PATIENCE))) this.#rest ??= endGroup(child.pid, PATIENCE);
    await this.gone;
    await this.#rest;
  }

  /** One line on what went wrong and what the server printed; never a value of its environment. */
  async explain(error: unknown): Promise<Explained> {
    const lost = neverSent(error) || LOST.has(codeOf(error));
    const text =
      spawnProblem(error, this.#definition) ??
      this.#problem ??
      (lost ? this.#output.end() : undefined) ??
      oneLine(error);
    const problem = told(text, this.#definition) + this.#output.complaint();
    const died = codeOf(error) === SdkErrorCode.ConnectionClosed;
    const lasting = this.#lasting;
    return { problem, lasting, fate: neverSent(error) ? 'unsent' : died ? 'lost' : 'unreadable' };
  }

  #read(line: string): void {
    for (const message of this.#messagesOf(line)) this.onmessage?.(message);
  }

  /** Servers print lines that are not messages, too. */
  *#messagesOf(line: string): Iterable<JSONRPCMessage> {
    let values: unknown[] = [];
    try {
      values = each(JSON.parse(line));
    } catch (error) {
      const answer = this.#requests.readBroken(line);
      if (answer === undefined) this.onerror?.(error as Error);
      else yield answer;
    }
    for (const value of values) {
      try {
        yield this.#requests.read(value);
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
  }
}

const LOST = new Set<unknown>([SdkErrorCode.ConnectionClosed, SdkErrorCode.EraNegotiationFailed]);

function endsWithin(child: ChildProcess, time: number): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), time);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

function spawnProblem(error: unknown, { command, cwd }: McpStdioServer): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'ENOENT' && cwd !== undefined && !existsSync(cwd)) return `working directory \`${cwd}\` not found`;
  if (code === 'ENOENT') return `command \`${command}\` not found`;
  if (code === 'EACCES') return `command \`${command}\` may not be executed`;
  return undefined;
}
