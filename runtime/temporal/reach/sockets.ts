import { isIP, connect as open, type Socket } from 'node:net';
import { connect as openTls, type TLSSocket } from 'node:tls';
import type { TLSConfig } from '@temporalio/client';

/** A host and its port. */
export interface Place {
  host: string;
  port: number;
}

/** A connection, or why there is none. */
export type Opened<S extends Socket> = { socket: S } | { error: NodeJS.ErrnoException };

/** Opens a plain connection. The caller destroys it. */
export function openPlain(place: Place, limit: number): Promise<Opened<Socket>> {
  return opened(open(place), 'connect', limit);
}

/**
 * Opens a connection with TLS. The caller destroys it.
 * @param trusting whether the server may have any certificate
 */
export function openSecure(
  { host, port }: Place,
  tls: TLSConfig,
  { limit, trusting = false }: { limit: number; trusting?: boolean },
): Promise<Opened<TLSSocket>> {
  const { serverNameOverride, serverRootCACertificate, clientCertPair } = tls;
  const name = serverNameOverride ?? (isIP(host) === 0 ? host : undefined);
  const socket = openTls({
    host,
    port,
    ALPNProtocols: ['h2'],
    rejectUnauthorized: !trusting,
    ...(name === undefined ? {} : { servername: name }),
    ...(serverRootCACertificate ? { ca: Buffer.from(serverRootCACertificate) } : {}),
    ...(clientCertPair ? { cert: Buffer.from(clientCertPair.crt), key: Buffer.from(clientCertPair.key) } : {}),
  });
  return opened(socket, 'secureConnect', limit);
}

function opened<S extends Socket>(socket: S, event: string, limit: number): Promise<Opened<S>> {
  return new Promise((settle) => {
    const timer = setTimeout(() => {
      socket.destroy();
      settle({ error: Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' }) });
    }, limit);
    socket.once(event, () => {
      clearTimeout(timer);
      settle({ socket });
    });
    // Not once: a reset after the connection was made must not end the process.
    socket.on('error', (error) => {
      clearTimeout(timer);
      settle({ error });
    });
  });
}
