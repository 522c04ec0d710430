import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { HoldfastError } from '../../agent/errors/error';
import { type GatewayConfig, gatewayOf } from '../../runtime/config/gateway';
import { Connections } from './connections';
import { createGateway, type GatewayOptions } from './gateway';
import { refuseBrokenRequests } from './guard/not-http';
import { isLoopback } from './guard/origins';
import { isEventStream, PIECE } from './sse';

/** What is served, and where. */
export interface ServeOptions extends GatewayOptions {
  /** The file that errors name. Default: temporal.yaml. */
  file?: string;
}

/** A gateway that listens. */
export interface ServedGateway {
  /** Where it is, such as `http://127.0.0.1:4080`. */
  url: string;
  /** Lets requests finish, ends streams, so that their readers go on at another one, and stops listening. */
  close(): Promise<void>;
}

/** Milliseconds that requests in progress have to finish. */
const GRACE = 10_000;
/** Milliseconds between two looks for requests that have been arriving for too long. */
const CHECK = 5000;
/** Connections that the kernel keeps for a busy process. */
const BACKLOG = 1024;

/**
 * Serves a gateway on a port.
 * @throws HoldfastError `PortTaken`; `InvalidConfig` if it can be reached from elsewhere, and no one has to authenticate
 */
export async function serveGateway(options: ServeOptions): Promise<ServedGateway> {
  const { config = gatewayOf() } = options;
  refuseOpenDoor(config, options.file);
  const gateway = createGateway(options);
  const { host, port, limits } = config;
  const server = createAdaptorServer({
    async fetch(request, { outgoing }) {
      const answer = await gateway.fetch(request);
      if (isEventStream(answer)) connections.noteStream(outgoing as ServerResponse);
      return answer;
    },
    serverOptions: {
      // What a reader has to take before more is written for it.
      highWaterMark: PIECE,
      // A request that dribbles in holds a connection.
      headersTimeout: limits.idle,
      requestTimeout: limits.idle,
      keepAliveTimeout: limits.idle,
      connectionsCheckingInterval: Math.min(limits.idle, CHECK),
      maxHeaderSize: 16 * 1024,
    },
  }) as Server;
  const connections = new Connections(server, limits);
  refuseBrokenRequests(server, (socket) => connections.isAnswering(socket));
  server.listen({ port, host, backlog: BACKLOG });
  await listening(server, port);
  const { port: at } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${isAny(host) ? '127.0.0.1' : name}:${at}`,
    async close() {
      gateway.drain();
      const closed = once(server, 'close');
      connections.end();
      const late = setTimeout(() => server.closeAllConnections(), GRACE);
      await closed;
      clearTimeout(late);
    },
  };
}

async function listening(server: Server, port: number): Promise<void> {
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    throw new HoldfastError('PortTaken', { port, what: 'the HTTP server' }, { cause: error });
  }
}

function isAny(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** @throws HoldfastError `InvalidConfig` */
function refuseOpenDoor({ host, keys, jwt }: GatewayConfig, file = 'temporal.yaml'): void {
  if (isLoopback(host) || keys.length > 0 || jwt !== undefined) return;
  const problem = `\`gateway.host\` is \`${host}\`, which others can reach, and callers need not authenticate. Add \`gateway.keys\` (\`holdfast key\` makes one) or \`gateway.jwt\``;
  throw new HoldfastError('InvalidConfig', { file, problem });
}
