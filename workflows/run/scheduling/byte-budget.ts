import { ActivityFailure, CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { BYTES } from '../../../agent/limits';

/** Milliseconds of the pause that proves what was sent: servers fire timers by the second. */
const PAUSE = 1000;

/**
 * Counts the bytes of commands that may still be sent together. The commands of one workflow task are one gRPC message
 * of at most 4 MiB, and the server terminates a run whose task is larger. Which commands share a task is unknown: a
 * replay merges tasks. The result of a command proves that this command and all before it were sent. Commands without
 * that proof count.
 */
export class ByteBudget {
  /** Bytes of all commands so far, and of those that are proven to be sent. */
  #spent = 0;
  #proven = 0;
  #pause: Promise<void> | undefined;

  /** Bytes spent so far: what the result of the newest command will prove as sent. */
  get mark(): number {
    return this.#spent;
  }

  /**
   * Spends bytes, after a pause where the unproven commands leave no room for them. Usually there is room, and no
   * promise is created: the SDK takes a stack trace of each.
   */
  spend(bytes: number): Promise<void> | undefined {
    if (!this.#fits(bytes)) return this.#later(bytes);
    this.#spent += bytes;
    return undefined;
  }

  /** Counts bytes that are sent in any case: accepting an update repeats its payload. */
  count(bytes: number): void {
    this.#spent += bytes;
  }

  /** A command that was issued at `mark` has a result: all bytes up to it were sent. */
  prove(mark: number): void {
    this.#proven = Math.max(this.#proven, mark);
  }

  /** Like {@link prove}, for a failed call. A cancelled call proves nothing: it may not have been sent. */
  proveByFailure(mark: number, error: unknown): void {
    if (error instanceof ActivityFailure && !isCancellation(error)) this.prove(mark);
  }

  #fits(bytes: number): boolean {
    const unproven = this.#spent - this.#proven;
    return unproven === 0 || unproven + bytes <= BYTES.task;
  }

  async #later(bytes: number): Promise<void> {
    while (!this.#fits(bytes)) {
      // All waiting commands share one pause: each timer is two events.
      this.#pause ??= this.#proof();
      await this.#pause;
    }
    this.#spent += bytes;
  }

  async #proof(): Promise<void> {
    const mark = this.#spent;
    await CancellationScope.nonCancellable(() => sleep(PAUSE, { summary: 'large data goes on in the next task' }));
    this.#pause = undefined;
    this.prove(mark);
  }
}
