import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** An answer that its reader has not got yet. */
interface Answer {
  /** It is written as things happen, and its reader can go on elsewhere. */
  isStream: boolean;
  /** Since when its reader has taken nothing of what waits for it. */
  stuckSince?: number | undefined;
}

/** How connections of a server are kept. */
export interface ConnectionOptions {
  /** Milliseconds in which a reader has to take something, if there is something. */
  idle: number;
}

/** Milliseconds between two looks for readers that take nothing, at most. */
const LOOK = 5000;
/** Of an answer that is complete only its end is seen, so its reader has this many times as long for all of it. */
const TIMES_FOR_ALL = 4;
/** Milliseconds that readers of streams have to take the rest when the server ends. */
const LAST = 1000;

/**
 * Ends connections whose readers take nothing, or hardly anything: what waits for them is in memory. A request that waits
 * for its run is left alone.
 */
export class Connections {
  readonly #answers = new Map<ServerResponse, Answer>();
  /** Open connections, and how much of each had been read when its last answer was taken: more is a new request. */
  readonly #read = new Map<Socket, number>();
  #isEnding = false;

  constructor(
    private readonly server: Server,
    private readonly options: ConnectionOptions,
  ) {
    server.on('connection', (socket) => {
      this.#read.set(socket, 0);
      socket.once('close', () => this.#read.delete(socket));
    });
    // Before it is answered.
    server.prependListener('request', (_, response) => this.#add(response));
    const look = setInterval(() => this.#endStuck(performance.now()), Math.min(LOOK, options.idle / 2)).unref();
    server.once('close', () => clearInterval(look));
  }

  /** The answer is a stream. */
  noteStream(response: ServerResponse): void {
    const answer = this.#answers.get(response);
    if (answer !== undefined) answer.isStream = true;
  }

  /** Whether an answer is on its way. Requests may have come one behind the other. */
  isAnswering(socket: Duplex): boolean {
    return [...this.#answers.keys()].some(({ req }) => req.socket === socket);
  }

  /**
   * Stops listening, and ends all connections: idle ones at once, those of streams soon, the others with their answers.
   * Without it, a connection whose answer ends later would wait for another request, and the server for it.
   */
  end(): void {
    this.#isEnding = true;
    // That of an HTTP server takes a connection for idle whose answer is complete, and cuts off what its reader lacks.
    NetServer.prototype.close.call(this.server);
    // What is left of it then is the end of its timers.
    this.server.once('close', () => this.server.close());
    // Those that have not begun say it to their caller.
    for (const response of this.#answers.keys()) response.shouldKeepAlive = false;
    for (const [socket, read] of this.#read) {
      if (socket.bytesRead === read && !this.isAnswering(socket)) socket.destroy();
    }
    // Streams have ended by now, and their readers go on elsewhere: one that takes nothing must not be waited for.
    const last = setTimeout(() => {
      for (const [{ socket }, { isStream }] of this.#answers) if (isStream) socket?.destroy();
    }, LAST);
    this.server.once('close', () => clearTimeout(last));
  }

  #add(response: ServerResponse): void {
    const { socket } = response.req;
    const answer: Answer = { isStream: false };
    this.#answers.set(response, answer);
    if (this.#isEnding) response.shouldKeepAlive = false;
    response.on('drain', () => {
      answer.stuckSince = undefined;
    });
    response.once('close', () => {
      this.#answers.delete(response);
      if (!socket.destroyed) this.#read.set(socket, socket.bytesRead);
      if (this.#isEnding && !this.isAnswering(socket)) socket.destroySoon();
    });
  }

  #endStuck(now: number): void {
    const { idle } = this.options;
    for (const [response, answer] of this.#answers) {
      const { socket, writableEnded, writableNeedDrain } = response;
      // Without a socket it waits for an earlier answer.
      if (socket === null || !(writableEnded || writableNeedDrain)) {
        answer.stuckSince = undefined;
        continue;
      }
      answer.stuckSince ??= now;
      if (now - answer.stuckSince >= idle * (writableEnded ? TIMES_FOR_ALL : 1)) socket.destroy();
    }
  }
}
