import { connect as connectSocket } from 'node:net';
import { Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import type { TemporalConfig } from '../config/config';
import { cancelledIfClosed } from './closed-channel';
import { reconnecting } from './reconnecting-channel';

/** How many milliseconds a server may take to answer the first call. */
const CONNECT_TIMEOUT = 5000;
const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\]):(\d+)$/;

/**
 * A connection for clients.
 * @throws HoldfastError `NoServer` after at most 5 s
 */
export async function connect({ temporal }: { temporal: TemporalConfig }): Promise<Connection> {
  return orNoServer(temporal, () =>
    Connection.connect({
      ...connectionOptions(temporal),
      connectTimeout: CONNECT_TIMEOUT,
      // The SDK sets the limit under a wrong name: histories over 4 MiB could not be fetched.
      channelArgs: { 'grpc.max_receive_message_length': -1, ...reconnecting() },
      // Without the first, which is the default, nothing would be repeated.
      interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), cancelledIfClosed],
    }),
  );
}

/** Options of both kinds of connection. */
export function connectionOptions({ address, tls, apiKey, metadata }: TemporalConfig) {
  return {
    address,
    ...defined({ tls, apiKey, metadata }),
  };
}

/**
 * Opens a connection, but waits at most 5 s.
 * @throws HoldfastError `NoServer`
 */
export async function orNoServer<T extends { close(): Promise<void> }>(
  { address }: TemporalConfig,
  open: () => Promise<T>,
): Promise<T> {
  if (await refusedLocally(address)) throw new HoldfastError('NoServer', { address, problem: 'connection refused' });
  const opening = open();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // A little longer than the client's own timeout, whose message says more.
    const timeout = CONNECT_TIMEOUT + 500;
    timer = setTimeout(() => reject(new Error(`no answer within ${CONNECT_TIMEOUT / 1000} s`)), timeout);
  });
  try {
    return await Promise.race([opening, late]);
  } catch (error) {
    // A connection that opens after the time is up must not stay open.
    opening.then((connection) => connection.close()).catch(() => {});
    throw new HoldfastError('NoServer', { address, problem: problemOf(error) }, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Host and port of an address on this machine; `undefined` for another machine. */
export function localAddress(address: string): { host: string; port: number } | undefined {
  const [, host, port] = LOCAL.exec(address) ?? [];
  return host === undefined ? undefined : { host: host.replace(/[[\]]/g, ''), port: Number(port) };
}

/** gRPC retries a refused connection until its time is up; on this machine a refusal is final. */
async function refusedLocally(address: string): Promise<boolean> {
  const local = localAddress(address);
  if (local === undefined) return false;
  return new Promise((settle) => {
    const socket = connectSocket({ ...local, timeout: 1000 });
    const end = (refused: boolean) => {
      socket.destroy();
      settle(refused);
    };
    socket.once('connect', () => end(false));
    socket.once('timeout', () => end(false));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => end(code === 'ECONNREFUSED'));
  });
}

function problemOf(error: unknown): string {
  const { details } = error as { details?: unknown };
  return typeof details === 'string' && details !== '' ? details : messageOf(error);
}
