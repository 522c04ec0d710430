import { HoldfastError } from '../../agent/errors/error';
import type { ErrorData } from '../../agent/errors/error-data';
import { mayAnswerLater } from '../../agent/errors/may-answer-later';
import { defined } from '../../agent/values/defined';
import type { Environment } from '../../runtime/binaries/download';
import type { Config } from '../../runtime/config/config';
import { freePort, isFree } from '../../runtime/process/ports';
import { connect, localAddress } from '../../runtime/temporal/connection';
import { type DevServer, startDevServer } from './dev-server';

/** A Temporal server that was running before. It is used, and not ended. */
export interface FoundServer extends Omit<DevServer, 'pid' | 'ended' | 'stop'> {
  readonly pid?: never;
}

/** A port that was taken, and the port chosen instead. */
export interface MovedPort {
  what: string;
  from: number;
  to: number;
}

export type OpenedServer =
  | { started: true; server: DevServer; moved: MovedPort[] }
  | { started: false; server: FoundServer; moved: MovedPort[] };

export interface OpenServerOptions {
  config: Config;
  env: Environment;
  /** Starts a server on this port, wherever the configured address is; 0: a free one. */
  port?: number;
  uiPort?: number;
  dbFile?: string;
  log: (line: string) => void;
}

/** Temporal's own. */
const USUAL = { port: 7233, uiPort: 8233 } as const;

/**
 * The server that `temporal.address` names, if it answers. Otherwise starts one: at that address if it is on this
 * machine, or at the usual ports if no address is configured.
 * @throws HoldfastError `NoServer` if the address is on another machine and does not answer; `PortTaken`, `NoBinary`,
 * `DevServerFailed`
 */
export async function openServer({ config, env, log, ...options }: OpenServerOptions): Promise<OpenedServer> {
  const { namespace, address, addressFrom } = config.temporal;
  const { devServer } = config;
  const wanted = options.port === undefined && addressFrom !== undefined ? address : undefined;
  if (wanted !== undefined && (await answers(config))) {
    const uiUrl = await findWebUi(wanted, options.uiPort ?? devServer.uiPort);
    return { started: false, server: { address: wanted, namespace, uiUrl }, moved: [] };
  }
  const local = wanted === undefined ? undefined : localAddress(wanted);
  const ip = devServer.ip ?? (local?.host === '::1' ? local.host : '127.0.0.1');
  const asked = { port: options.port ?? devServer.port, uiPort: options.uiPort ?? devServer.uiPort };
  for (;;) {
    const moved: MovedPort[] = [];
    const choose = async (what: string, port: number | undefined, usual: number): Promise<number> => {
      if (port !== undefined) return port;
      if (await isFree(usual, ip)) return usual;
      const to = await freePort(ip);
      moved.push({ what, from: usual, to });
      return to;
    };
    const port = local?.port ?? (await choose('Temporal', asked.port, USUAL.port));
    const uiPort = await choose('Web UI', asked.uiPort, USUAL.uiPort);
    const dbFile = options.dbFile ?? devServer.dbFile;
    try {
      const server = await startDevServer({ port, uiPort, ip, namespace, env, log, ...defined({ dbFile }) });
      return { started: true, server, moved };
    } catch (error) {
      if (!lostUsualPort(error, [local?.port, asked.port, asked.uiPort])) throw error;
    }
  }
}

/** Another server has taken a usual port since it was free: the next start chooses another. */
function lostUsualPort(error: unknown, asked: readonly (number | undefined)[]): boolean {
  if (!(error instanceof HoldfastError) || error.type !== 'PortTaken') return false;
  const { port } = error.data as ErrorData['PortTaken'];
  return Object.values<number>(USUAL).includes(port) && !asked.includes(port);
}

/** Whether the configured server answers. If a server can be started there, no answer is not an error. */
async function answers(config: Config): Promise<boolean> {
  try {
    const connection = await connect(config);
    await connection.close();
    return true;
  } catch (error) {
    const { address } = config.temporal;
    if (!(error instanceof HoldfastError)) return false;
    // Something else has the port, or the server wants another way to it.
    if (!mayAnswerLater(error)) throw error;
    if (localAddress(address) !== undefined) return false;
    const message = `${error.message.split('. ', 1)[0]}. \`holdfast dev\` starts a server only on this machine: correct or remove \`temporal.address\` or TEMPORAL_ADDRESS, or start a server here with \`--port 7233\`.`;
    throw new HoldfastError(error.type, error.data, { message, cause: error });
  }
}

/** Milliseconds for a Web UI on this machine to answer. */
const UI_TIMEOUT = 1000;

/** The URL of a local server's Web UI: it is 1,000 ports above the server, unless its start said otherwise. */
async function findWebUi(address: string, port: number | undefined): Promise<string> {
  const local = localAddress(address);
  if (local === undefined) return '';
  const host = local.host.includes(':') ? `[${local.host}]` : local.host;
  const url = `http://${host}:${port ?? local.port + 1000}`;
  try {
    const { ok, body } = await fetch(`${url}/api/v1/settings`, { signal: AbortSignal.timeout(UI_TIMEOUT) });
    await body?.cancel();
    return ok ? url : '';
  } catch {
    return ''; // a server without Web UI, or with one elsewhere
  }
}
