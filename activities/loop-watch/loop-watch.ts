import { AsyncResource } from 'node:async_hooks';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../agent/define/context';
import { SHARED, THREAD, type ThreadData } from './thread';
import { NAMED, type WatchedCall, wordsOf } from './words';

/** Milliseconds between two ticks of the event loop. */
const TICK = 250;
/** A function that blocks for at least this many milliseconds is logged once it is over. */
const NOTED = 1000;
/**
 * After this many milliseconds the thread reports a block that still lasts: half of the shortest default heartbeat
 * timeout. Where no function is known that blocks, a shorter one harms no call, and there is little to do about it.
 */
const TOLD = 5000;
const ENCODER = new TextEncoder();

interface Open extends WatchedCall {
  /** Called with how many milliseconds it has blocked the event loop, if it certainly was this call. */
  blocked: (ms: number) => void;
  /** `blocked` was called since the last tick. */
  certain: boolean;
}

/**
 * Detects when a user's function blocks the event loop of the worker: meanwhile no call of any run makes progress, no
 * heartbeat is sent and no task is taken. It is certain which function it was if it blocked before its first `await`,
 * or was the only one in progress; otherwise it may be any of several, and all are named.
 */
export class LoopWatch {
  readonly #open = new Set<Open>();
  /** Calls that ended since the last tick and would be named: a call may block and end before the next tick. */
  #ended: Open[] = [];
  #endedCount = 0;
  #executing: Open | undefined;
  #last = performance.now();
  readonly #shared = new SharedArrayBuffer(SHARED.bytes + SHARED.text);
  readonly #head = new Int32Array(this.#shared, 0, 2);
  readonly #text = new Uint8Array(this.#shared, SHARED.bytes);
  #timer: NodeJS.Timeout | undefined;
  #thread: Worker | undefined;

  constructor(
    private readonly log: Log,
    private readonly options: { told?: boolean } = {},
  ) {}

  /** Begins to watch. What a process does before, such as to load its modules, blocks no call. */
  start(): this {
    const { told = process.env.HOLDFAST_LOG !== 'silent' } = this.options;
    this.#last = performance.now();
    this.#timer = setInterval(() => this.#tick(), TICK);
    this.#timer.unref();
    if (!told) return this;
    const workerData: ThreadData = { shared: this.#shared, after: TOLD };
    this.#thread = new Worker(THREAD, { eval: true, workerData });
    this.#thread.unref();
    this.#publish();
    this.#thread.on('error', (error) => this.log.warn({ problem: error.message }, 'Blocked event loops go unnoticed.'));
    return this;
  }

  /** Runs a user's function under watch. `blocked` is called at once with how long it has blocked the event loop. */
  async run<T>(call: WatchedCall, work: () => T, blocked: (ms: number) => void = () => {}): Promise<Awaited<T>> {
    // A tick calls it from outside the call. AsyncResource.bind costs a hundred times as much.
    const context = new AsyncResource('HoldfastCall');
    const open: Open = { ...call, blocked: (ms) => context.runInAsyncScope(blocked, undefined, ms), certain: false };
    this.#open.add(open);
    try {
      return await this.#begin(work, open);
    } finally {
      this.#open.delete(open);
      this.#endedCount++;
      if (open.certain || this.#ended.length <= NAMED) this.#ended.push(open);
      this.#blame(open);
      this.#publish();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#thread?.terminate();
  }

  /** The part of a function before its first `await`. */
  #begin<T>(work: () => T, open: Open): T {
    const outer = this.#executing;
    this.#executing = open;
    this.#publish();
    const began = performance.now();
    try {
      return work();
    } finally {
      this.#executing = outer;
      this.#publish();
      this.#told(open, performance.now() - began);
    }
  }

  /** For how many milliseconds nothing else has run in this process until just now. */
  #lag(): number {
    return Math.max(0, performance.now() - this.#last - TICK);
  }

  /** Blames the call if nothing else can have blocked the loop. */
  #blame(open: Open): void {
    if (!open.certain && this.#open.size + this.#endedCount === 1) this.#told(open, this.#lag());
  }

  #told(open: Open, ms: number): void {
    if (ms < NOTED) return;
    open.certain = true;
    open.blocked(ms);
  }

  #tick(): void {
    const lag = this.#lag();
    const calls = [...this.#open, ...this.#ended];
    if (lag >= NOTED) {
      for (const call of calls) this.#blame(call);
      const certain = calls.filter((call) => call.certain);
      const { before, after, calls: named } = wordsOf(certain.length > 0 ? certain : calls);
      const seconds = Math.round(lag / 100) / 10;
      const level = named.length > 0 || lag >= TOLD ? 'warn' : 'debug';
      this.log[level]({ calls: named, seconds }, `${before} ${seconds} s${after}`);
    }
    for (const call of this.#open) call.certain = false;
    this.#ended = [];
    this.#endedCount = 0;
    this.#last = performance.now();
    Atomics.add(this.#head, SHARED.tick, 1);
  }

  /** For the thread: the calls to name if nothing else ran from now on. */
  #publish(): void {
    if (this.#thread === undefined) return;
    const text = JSON.stringify(wordsOf(this.#executing === undefined ? [...this.#open] : [this.#executing]));
    const { written } = ENCODER.encodeInto(text, this.#text);
    Atomics.store(this.#head, SHARED.length, written);
  }
}
