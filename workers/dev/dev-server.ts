import { type ChildProcess, spawn } from 'node:child_process';
import type { Connection } from '@temporalio/client';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import { resolveBinary } from '../../runtime/binaries/binaries';
import type { Environment } from '../../runtime/binaries/download';
import { eachLine, endChild, endWithParent } from '../../runtime/process/child-process';
import { freePort, isFree } from '../../runtime/process/ports';
import { connect } from '../../runtime/temporal/connection';
import { registerSearchAttributes } from '../search-attributes';
import { checkDbFile } from './check-db-file';
import { DEV_SERVER_ARGS } from './dev-server-args';

export interface DevServerOptions {
  /** Port of the gRPC front end; 0 or none: a free one. */
  port?: number;
  /** Port of the Web UI; 0 or none: a free one. */
  uiPort?: number;
  /** Keeps runs in this file; without it they end with the server. */
  dbFile?: string;
  /** Address to listen on. Default `127.0.0.1`. */
  ip?: string;
  /** Default true. */
  ui?: boolean;
  /** Created beside `default`, with our search attributes. Default `default`. */
  namespace?: string;
  env?: Environment;
  /** Dynamic configuration in addition to ours, which it overrides, such as `history.maxInFlightUpdates=10`. */
  settings?: readonly string[];
  /** Called with what the start does, and what the server prints until {@link DevServer.stop}. */
  log?: (line: string) => void;
}

export interface DevServer {
  /** The address for clients. */
  readonly address: string;
  readonly namespace: string;
  /** Empty without a Web UI. */
  readonly uiUrl: string;
  readonly pid: number;
  /** Resolves when the server has ended, expectedly or not, with the signal that killed it or the last line that it printed. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** A server normally starts in 0.3 s; a large database file, or a machine under load, takes longer. */
const START_TIMEOUT = 60_000;
const STOP_TIMEOUT = 5000;

/** The server chooses ports for its parts, and ends if another program takes one of them at the same moment. */
const STARTS = 3;

/**
 * Starts Temporal's dev server with our settings and search attributes. It ends with this process.
 * @throws HoldfastError `PortTaken`, `NoBinary`, `DevServerFailed`, `InvalidConfig` for a file that keeps no runs
 */
export async function startDevServer(options: DevServerOptions = {}): Promise<DevServer> {
  for (let start = 1; ; start++) {
    try {
      return await startOnce(options);
    } catch (error) {
      if (start === STARTS || !(error instanceof HoldfastError) || !hasLostPort(error.message)) throw error;
    }
  }
}

/** A part whose port is taken panics or reports it. */
function hasLostPort(line: string): boolean {
  return isPanic(line) || line.includes('address already in use');
}

function isPanic(line: string): boolean {
  return line.includes('panic: ');
}

async function startOnce(options: DevServerOptions): Promise<DevServer> {
  const { ip = '127.0.0.1', ui = true, namespace = 'default', env = process.env, log } = options;
  if (options.dbFile !== undefined) await checkDbFile(options.dbFile);
  const program = await resolveBinary('temporal', { env, ...defined({ log }) });
  const port = await choosePort(options.port, ip, 'the Temporal server');
  const uiPort = ui ? await choosePort(options.uiPort, ip, 'the Web UI', [port]) : undefined;
  const args = ['server', 'start-dev', '--ip', ip, '--port', String(port), '--namespace', namespace];
  args.push('--log-level', 'error', ...DEV_SERVER_ARGS);
  for (const setting of options.settings ?? []) args.push('--dynamic-config-value', setting);
  args.push(...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]));
  if (options.dbFile !== undefined) args.push('--db-filename', options.dbFile);

  // A separate process group: Ctrl-C in the terminal must not end it before the worker has finished.
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  endWithParent(child);
  let stopping = false;
  // While it ends, it reports errors about calls of its own parts to each other.
  const end = lastWords(child, (line) => stopping || log?.(line));
  const host = ip === '0.0.0.0' ? '127.0.0.1' : ip === '::' ? '[::1]' : ip.includes(':') ? `[${ip}]` : ip;
  const address = `${host}:${port}`;
  try {
    await ready(address, namespace, end);
  } catch (error) {
    await endChild(child, STOP_TIMEOUT);
    throw error;
  }
  return {
    address,
    namespace,
    uiUrl: uiPort === undefined ? '' : `http://${host}:${uiPort}`,
    pid: child.pid as number,
    ended: end,
    stop() {
      stopping = true;
      return endChild(child, STOP_TIMEOUT);
    },
  };
}

async function choosePort(
  wanted: number | undefined,
  ip: string,
  what: string,
  except: number[] = [],
): Promise<number> {
  if (wanted === undefined || wanted === 0) return freePort(ip, except);
  if (except.includes(wanted) || !(await isFree(wanted, ip)))
    throw new HoldfastError('PortTaken', { port: wanted, what });
  return wanted;
}

/** The versions and addresses that it prints at its start; we print them ourselves. */
const BANNER = /^Temporal (?:CLI|Server|UI|Persistence|Metrics)\b/;

async function lastWords(child: ChildProcess, log: (line: string) => void): Promise<string> {
  let last = '';
  const take = (line: string) => {
    // A stack trace follows a panic.
    if (!isPanic(last)) last = line.trim();
  };
  eachLine(child.stdout, (line) => {
    if (!BANNER.test(line)) take(line);
  });
  eachLine(child.stderr, (line) => {
    take(line);
    log(line.trim());
  });
  // `close` comes after the last output, but not if the program could not be started.
  await new Promise<void>((done) => {
    child.once('close', () => done());
    child.once('error', (error) => done(take(messageOf(error))));
  });
  if (child.signalCode === null) return last || `exit code ${child.exitCode}`;
  // What it printed before it was killed is seldom the reason.
  return `killed by ${child.signalCode}${last && `. The last line that it printed: ${last}`}`;
}

/** Waits until the server answers, knows the namespace, and has the search attributes. */
async function ready(address: string, namespace: string, end: Promise<string>): Promise<void> {
  let over: HoldfastError | undefined;
  const failed = end.then((problem) => {
    over = new HoldfastError('DevServerFailed', { problem });
    throw over;
  });
  failed.catch(() => {});
  const deadline = Date.now() + START_TIMEOUT;
  const prepare = async (): Promise<void> => {
    for (;;) {
      let connection: Connection | undefined;
      try {
        connection = await connect({ temporal: { address, namespace, taskQueue: '' } });
        await connection.workflowService.describeNamespace({ namespace });
        return await registerSearchAttributes(connection, namespace);
      } catch (error) {
        if (error instanceof HoldfastError && error.type !== 'NoServer') throw error;
        if (over !== undefined) throw over;
        if (Date.now() > deadline) throw new HoldfastError('DevServerFailed', { problem: messageOf(error) });
        await new Promise((done) => setTimeout(done, 20));
      } finally {
        await connection?.close();
      }
    }
  };
  await Promise.race([prepare(), failed]);
}
