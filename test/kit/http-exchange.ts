import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HoldfastError } from '../../agent/errors/error';

/** Opens a server on 127.0.0.1; `close` destroys open connections and frees the port. */
export async function listen(server: Server, port = 0): Promise<{ port: number; close(): Promise<void> }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      reject(isTaken ? new HoldfastError('PortTaken', { port, what: 'the scripted model' }, { cause: error }) : error);
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The body of a request. */
export async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The end of an answer, as its server sees it. */
export interface Exchange {
  /** Aborts when the connection ends, from either side. */
  readonly gone: AbortSignal;
  /** Resolves when the client closes the socket before the end of the answer; else never. */
  readonly socketClosed: Promise<void>;
  /** Whether the answer was sent to its end. */
  readonly finished: boolean;
  /** To be called before the server itself breaks off the connection. */
  breaking(): void;
}

export function exchangeOf(response: ServerResponse): Exchange {
  const gone = new AbortController();
  let ownEnd = false;
  const socketClosed = new Promise<void>((resolve) => {
    response.on('close', () => {
      gone.abort();
      if (!response.writableFinished && !ownEnd) resolve();
    });
  });
  return {
    gone: gone.signal,
    socketClosed,
    get finished() {
      return response.writableFinished;
    },
    breaking() {
      ownEnd = true;
    },
  };
}

/** Requests in the order of their arrival. */
export class Arrivals<Request> {
  readonly all: Request[] = [];
  readonly #waiting = new Map<number, ((request: Request) => void)[]>();

  /** Returns the number of the request, from 1. */
  add(request: Request): number {
    const number = this.all.push(request);
    for (const resolve of this.#waiting.get(number) ?? []) resolve(request);
    this.#waiting.delete(number);
    return number;
  }

  /** The request with this number, as soon as it has arrived. */
  wait(number: number): Promise<Request> {
    return new Promise((resolve) => {
      const there = this.all[number - 1];
      if (there !== undefined) resolve(there);
      else this.#waiting.set(number, [...(this.#waiting.get(number) ?? []), resolve]);
    });
  }
}
