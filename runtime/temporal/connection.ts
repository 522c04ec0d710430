import { connect as connectSocket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import { isPassingFault } from '../../agent/errors/may-answer-later';
import type { ServerFault } from '../../agent/errors/tried-server';
import { defined } from '../../agent/values/defined';
import type { TemporalConfig } from '../config/temporal';
import { cancelledIfClosed } from './closed-channel';
import type { FoundFault, ServerCertificateFault } from './reach/certificate-fault';
import { findFault } from './reach/find-fault';
import { refusalOf } from './reach/refusal';
import { type Reachable, triedServer } from './reach/tried';
import { reconnecting } from './reconnecting-channel';

/** How many milliseconds a server may take to answer the first call. */
const CONNECT_TIMEOUT = 5000;
/** Milliseconds after which the reason is looked for: gRPC tries again and again what cannot succeed. */
const LOOK_AFTER = 500;
/** What the connection may see otherwise: a worker also trusts the certificates of the system, which Node does not know. */
const DOUBTFUL: ReadonlySet<ServerFault> = new Set<ServerCertificateFault>(['untrusted', 'otherName', 'expired']);
const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\]):(\d+)$/;

/**
 * A connection for clients.
 * @throws HoldfastError `NoServer` after at most 8 s; `ServerRefused` if the server refuses the API key
 */
export async function connect(config: Reachable): Promise<Connection> {
  return orNoServer(config, () =>
    Connection.connect({
      ...connectionOptions(config.temporal),
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
 * Opens a connection, but waits at most 5 s, and less if it cannot succeed. Finds out why it fails.
 * @throws HoldfastError `NoServer`, `ServerRefused`
 */
export async function orNoServer<T extends { close(): Promise<void> }>(
  config: Reachable,
  open: () => Promise<T>,
): Promise<T> {
  const { temporal } = config;
  if (await refusedLocally(temporal.address)) {
    throw unreached(config, { fault: 'refused', problem: 'connection refused' });
  }
  let searching: Promise<FoundFault | undefined> | undefined;
  const search = () => {
    searching ??= findFault(temporal);
    return searching;
  };
  const opening = open();
  const over = new AbortController();
  try {
    return await Promise.race([opening, hopeless(config, search, over.signal), late(over.signal)]);
  } catch (error) {
    // A connection that opens after the time is up must not stay open.
    opening.then((connection) => connection.close()).catch(() => {});
    if (error instanceof HoldfastError) throw error;
    const refusal = refusalOf(error);
    if (refusal !== undefined) {
      const data = { id: '', ...refusal, tried: triedServer(config) };
      throw new HoldfastError('ServerRefused', data, { cause: error });
    }
    throw unreached(config, (await search()) ?? { problem: problemOf(error) }, error);
  } finally {
    over.abort();
  }
}

/** Rejects when it is known that to try again does not help. */
async function hopeless(
  config: Reachable,
  search: () => Promise<FoundFault | undefined>,
  signal: AbortSignal,
): Promise<never> {
  await pause(LOOK_AFTER, signal);
  const found = await search();
  const isCertain = found !== undefined && !isPassingFault(found.fault) && !DOUBTFUL.has(found.fault);
  if (isCertain) throw unreached(config, found);
  return never();
}

async function late(signal: AbortSignal): Promise<never> {
  // A little longer than the client's own timeout, whose message says more.
  await pause(CONNECT_TIMEOUT + 500, signal);
  throw new Error(`no answer within ${CONNECT_TIMEOUT / 1000} s`);
}

/** Does not end after an abort: the race is over then. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(never);
}

function never(): Promise<never> {
  return new Promise(() => {});
}

function unreached(config: Reachable, { fault, problem }: Partial<FoundFault>, cause?: unknown): HoldfastError {
  const tried = triedServer(config);
  const data = { address: tried.address, problem: problem ?? '', ...defined({ fault }), tried };
  return new HoldfastError('NoServer', data, defined({ cause }));
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
