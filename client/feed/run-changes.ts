import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { isPassing } from '../requests/client-error';
import { LOOKS, type Look } from './look-pace';
import { closeOf } from './run-close';
import { tellsOfEnds } from './tells-of-ends';

/** Milliseconds between two looks at a run: right after something happened, and at most, when it is quiet. */
const FIRST = 50;
const LONGEST = 5_000;
/** A test server tells of no end by itself, and is not loaded by looks. */
const LONGEST_IN_TESTS = 100;
const GROWTH = 1.5;
/**
 * Milliseconds between two looks while an answer streams: nothing else happens in the run, and the end of the answer is a
 * delta, too, after which the next look is soon.
 */
const STREAMING = 1000;

/** The Temporal run under a workflow id, as the last look found it. */
interface Seen {
  runId: string;
  historyLength: number;
  closed: boolean;
}

/**
 * Notices that the history of a run has grown, for all readers of this process. A look is a `describe`: it downloads no
 * history, and no worker is asked. The end of the run comes by the server's long poll. It looks from the first wait until
 * {@link stop}.
 */
export class RunChanges {
  /** Grows with each change. Take it before you read the run, and pass it to {@link after} when you have read it. */
  version = 0;
  #seen: Seen | undefined;
  readonly #waiting = new Set<{ resolve: () => void; reject: (error: unknown) => void }>();
  /** Ends the looking. */
  #watch: AbortController | undefined;
  /** Milliseconds until the next look. */
  #pause = FIRST;
  /** There were pieces of an answer since the last look. */
  #streams = false;
  /** The next look. */
  #look: Look = { urgent: false };
  #cutShort: () => void = () => undefined;

  constructor(
    private readonly client: Client,
    private readonly id: string,
  ) {}

  /** Temporal's id of the run that has this workflow id; `undefined` before the first look. */
  get runId(): string | undefined {
    return this.#seen?.runId;
  }

  get closed(): boolean {
    return this.#seen?.closed === true;
  }

  /**
   * Notes what was found right before the first query. A look that finds the same brings no news: a reader who asks a worker has
   * asked it after this.
   */
  begin({ runId, historyLength, status }: WorkflowExecutionDescription): void {
    this.#seen ??= { runId, historyLength, closed: status.name !== 'RUNNING' };
  }

  /** Resolves when the run has changed since `version`, or has closed. */
  async after(version: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.version > version || this.closed) return;
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiter);
        signal.removeEventListener('abort', stop);
      };
      const waiter = {
        resolve: () => {
          leave();
          resolve();
        },
        reject: (error: unknown) => {
          leave();
          reject(error);
        },
      };
      const stop = () => waiter.reject(signal.reason);
      signal.addEventListener('abort', stop);
      this.#waiting.add(waiter);
      this.#beginWatch();
    });
  }

  /** Something is known to have happened: the next look comes soon. `streams`: not for each piece of an answer. */
  hurry({ streams = false }: { streams?: boolean } = {}): void {
    this.#streams ||= streams;
    if (!streams) this.#look.urgent = true;
    const pause = streams ? STREAMING : FIRST;
    if (this.#pause <= pause) return;
    this.#pause = pause;
    this.#cutShort();
  }

  #beginWatch(): void {
    if (this.#watch !== undefined && !this.#watch.signal.aborted) return;
    const watch = new AbortController();
    this.#watch = watch;
    const fail = (error: unknown) => {
      if (watch.signal.aborted) return;
      watch.abort();
      for (const { reject } of [...this.#waiting]) reject(error);
    };
    this.#lookOnAndOn(watch.signal).catch(fail);
  }

  /** Ends the looking, where no reader is left. */
  stop(): void {
    this.#watch?.abort();
  }

  async #lookOnAndOn(signal: AbortSignal): Promise<void> {
    const hasLongPoll = await tellsOfEnds(this.client);
    const longest = hasLongPoll ? LONGEST : LONGEST_IN_TESTS;
    let awaited: string | undefined;
    while (!signal.aborted && !this.closed) {
      await this.#rest(signal);
      await LOOKS.turn(this.#look, signal);
      this.#look = { urgent: false };
      const isNews = await this.#lookAndTell();
      if (isNews) this.#look.urgent = true;
      this.#pause = isNews ? FIRST : Math.min(this.#streams ? STREAMING : this.#pause * GROWTH, longest);
      this.#streams = false;
      // Another Temporal run may have taken the place of the one whose end was awaited.
      if (!hasLongPoll || this.closed || this.runId === undefined || this.runId === awaited) continue;
      awaited = this.runId;
      // Without it the looks go on.
      closeOf(this.client, this.id, awaited, signal).then(
        () => this.hurry(),
        () => undefined,
      );
    }
  }

  async #lookAndTell(): Promise<boolean> {
    const changed = await this.#seeChange().catch((error) => {
      if (isPassing(error)) return false;
      throw error;
    });
    if (changed) for (const { resolve } of [...this.#waiting]) resolve();
    return changed;
  }

  #rest(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, this.#pause);
      signal.addEventListener('abort', end, { once: true });
      this.#cutShort = end;
      if (signal.aborted) end();
    });
  }

  /** Whether something has changed since the last look. */
  async #seeChange(): Promise<boolean> {
    const before = this.#seen;
    const seen = await this.#describe();
    this.#seen = seen;
    const changed =
      before?.runId !== seen.runId || before.historyLength !== seen.historyLength || before.closed !== seen.closed;
    if (changed) this.version++;
    return changed;
  }

  /** The handle's `describe` reads much more of the answer, which takes half as long again. */
  async #describe(): Promise<Seen> {
    const { workflowService, options } = this.client;
    const { workflowExecutionInfo: info } = await workflowService.describeWorkflowExecution({
      namespace: options.namespace,
      execution: { workflowId: this.id },
    });
    return {
      runId: info?.execution?.runId ?? '',
      historyLength: Number(info?.historyLength),
      closed: Boolean(info?.closeTime),
    };
  }
}
