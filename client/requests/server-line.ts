import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { defined } from '../../agent/values/defined';
import { isBusy, isSilence } from './client-error';

/**
 * Calls of the Temporal server that one process makes at the same time. Many more, when hundreds of readers come back in one
 * moment, would make each other too late, and wait in the server's own limits.
 */
const AT_ONCE = 50;
/** Milliseconds after which a call gives up its place: it waits for a worker, and loads the server no more. */
const PLACE = 2_000;
/** Milliseconds without any answer after which a server that has as many calls as it may is away. */
const AWAY = 10_000;
/** Milliseconds before a call to a busy server is made again. */
const PAUSE = 250;

interface Waiting {
  begin(): void;
  fail(error: unknown): void;
}

/** How a call waits. */
export interface LineOptions {
  /** Ends the wait for its turn; the call itself has to follow it, too. */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds in which the call is made again when the server is only busy: it answers others, and not this one in time, or
   * there are many at once.
   * Only for calls that change nothing. Default 0.
   */
  patience?: number;
}

/**
 * Calls of the Temporal server wait for their turn, so that the time limit of each begins when it is made. If the server
 * answers none, those that wait end with the first one that it did not answer.
 */
export class ServerLine {
  #running = 0;
  readonly #waiting = new Set<Waiting>();
  /** When the server has answered last. */
  #answered = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly atOnce = AT_ONCE,
    private readonly place = PLACE,
    private readonly away = AWAY,
  ) {}

  /** @throws what `call` throws, or another call that the server has not answered; the reason of `signal` */
  async call<T>(call: () => Promise<T>, { signal, patience = 0 }: LineOptions = {}): Promise<T> {
    await this.#turn(signal);
    const began = performance.now();
    const leave = this.#leaving(began);
    const until = began + patience;
    try {
      for (;;) {
        try {
          const result = await call();
          this.heard();
          return result;
        } catch (error) {
          if (signal?.aborted) throw error;
          const isAway = isSilence(error) && this.#isAway(began);
          if (isAway) this.#fail(error);
          else if (!isSilence(error)) this.heard();
          if (isAway || !(isSilence(error) || isBusy(error)) || performance.now() >= until) throw error;
          await delay(PAUSE, undefined, defined({ signal }));
        }
      }
    } finally {
      leave();
    }
  }

  /** The server has answered a part of a call. */
  heard(): void {
    this.#answered = performance.now();
  }

  /** Whether the server has answered nothing since then. With all places taken, it, or this process, may only be busy at first. */
  #isAway(began: number): boolean {
    if (this.#answered >= began) return false;
    return this.#running < this.atOnce || performance.now() - began >= this.away;
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#running < this.atOnce) {
      this.#running++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const settle = (end: () => void) => () => {
        this.#waiting.delete(waiting);
        signal?.removeEventListener('abort', stop);
        end();
      };
      const stop = settle(() => reject(signal?.reason));
      const begin = settle(() => {
        this.#running++;
        resolve();
      });
      const waiting = { begin, fail: (error: unknown) => settle(() => reject(error))() };
      signal?.addEventListener('abort', stop);
      this.#waiting.add(waiting);
    });
  }

  /** Gives the place to the next one, at last when its time is over; to a server that answers nothing no further call is made. */
  #leaving(began: number): () => void {
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      clearInterval(timer);
      this.#running--;
      const [next] = this.#waiting;
      next?.begin();
    };
    const timer = setInterval(() => this.#answered >= began && leave(), this.place).unref();
    return leave;
  }

  #fail(error: unknown): void {
    for (const one of [...this.#waiting]) one.fail(error);
  }
}

/** One for each client of Temporal: its readers load one server. */
const LINES = new WeakMap<Client, ServerLine>();

/** The line of all reads that a client makes. */
export function serverLine(client: Client): ServerLine {
  const line = LINES.get(client) ?? new ServerLine();
  LINES.set(client, line);
  return line;
}
