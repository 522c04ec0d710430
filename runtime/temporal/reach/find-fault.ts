import type { Socket } from 'node:net';
import type { TLSConfig } from '@temporalio/client';
import { messageOf } from '../../../agent/errors/error';
import type { ServerFault } from '../../../agent/errors/tried-server';
import type { TemporalConfig } from '../../config/temporal';
import { certificateFault, type FoundFault, isAlert } from './certificate-fault';
import { type Opened, openPlain, openSecure, type Place } from './sockets';
import { type Spoken, speak } from './speak';

/** Milliseconds that each step of the search may take. */
const STEP = 2000;

/**
 * Why a connection to a Temporal server fails. gRPC says of most causes only that a deadline has passed: this looks at the
 * name, the port, TLS and the first bytes of the server, each on a connection of its own.
 * @returns `undefined` if the server speaks HTTP/2 as it should: the answer of Temporal then says what is wrong
 */
export async function findFault({ address, tls }: TemporalConfig, step = STEP): Promise<FoundFault | undefined> {
  const place = placeOf(address);
  if (!tls) return plainFault(place, step);
  return tlsFault(place, tls === true ? {} : tls, step);
}

function placeOf(address: string): Place {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) };
}

async function plainFault(place: Place, step: number): Promise<FoundFault | undefined> {
  const opened = await openPlain(place, step);
  if ('error' in opened) return unopened(opened.error);
  const spoken = await spokenOn(opened, step);
  if (spoken === 'http2') return undefined;
  // Many servers of TLS only close a connection that begins otherwise, and some answer it in HTTP/1.
  if (spoken === 'tls' || (await speaksTls(place, step))) return { fault: 'wantsTls', problem: '' };
  return notTemporal(place, spoken, step);
}

async function tlsFault(place: Place, tls: TLSConfig, step: number): Promise<FoundFault | undefined> {
  const opened = await openSecure(place, tls, { limit: step });
  if ('error' in opened) return certificateFault(opened.error, tls) ?? beforeTls(place, step);
  const { socket } = opened;
  let late: NodeJS.ErrnoException | undefined;
  // With TLS 1.3 a server refuses the certificate of the client after the client sees the connection as made.
  socket.on('error', (error) => {
    late = error;
  });
  const spoken = await spokenOn(opened, step);
  if (spoken === 'http2') return undefined;
  return (late && certificateFault(late, tls)) ?? { fault: faultOf(spoken), problem: late?.message ?? '' };
}

/** What is at an address where no connection with TLS can be made. */
async function beforeTls(place: Place, step: number): Promise<FoundFault> {
  const opened = await openPlain(place, step);
  if ('error' in opened) return unopened(opened.error);
  const spoken = await spokenOn(opened, step);
  if (spoken === 'http2') return { fault: 'noTls', problem: '' };
  return notTemporal(place, spoken, step);
}

async function notTemporal(place: Place, spoken: Spoken, step: number): Promise<FoundFault> {
  const isGateway = spoken === 'http1' && (await isServedByUs(place, step));
  return { fault: isGateway ? 'gateway' : faultOf(spoken), problem: '' };
}

function faultOf(spoken: Spoken): ServerFault {
  if (spoken === 'http1') return 'http';
  // A proxy closes connections while the server behind it starts.
  return spoken === 'nothing' || spoken === 'closed' ? 'silent' : 'otherProtocol';
}

async function spokenOn({ socket }: { socket: Socket }, limit: number): Promise<Spoken> {
  try {
    return await speak(socket, limit);
  } finally {
    socket.destroy();
  }
}

/** Whether a server answers in TLS, be it that it refuses this client. */
async function speaksTls(place: Place, limit: number): Promise<boolean> {
  const opened: Opened<Socket> = await openSecure(place, {}, { limit, trusting: true });
  if ('error' in opened) return isAlert(opened.error);
  opened.socket.destroy();
  return true;
}

/** Errors of `holdfast serve` for a caller without a token. Model servers have errors of the same form, and other types. */
const OURS: ReadonlySet<unknown> = new Set(['Unauthorized', 'UnknownHost']);

/** Whether `holdfast serve` is at an address. */
async function isServedByUs({ host, port }: Place, limit: number): Promise<boolean> {
  const name = host.includes(':') ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${name}:${port}/v1/me`, { signal: AbortSignal.timeout(limit) });
    const { error } = (await answer.json()) as { error?: { type?: unknown } };
    return OURS.has(error?.type);
  } catch {
    return false;
  }
}

function unopened(error: NodeJS.ErrnoException): FoundFault {
  const { code = '' } = error;
  // A host with several addresses has an error for each, and no message of its own.
  const problem = error.message === '' ? code : messageOf(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { fault: 'unknownHost', problem };
  return { fault: code === 'ECONNREFUSED' ? 'refused' : 'unreachable', problem };
}
