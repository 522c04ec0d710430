import { sleep, workflowInfo } from '@temporalio/workflow';
import { BYTES } from '../agent/limits';

/**
 * Counts the bytes of the commands of one workflow task, which travel in one gRPC message of at most 4 MiB: a run whose
 * task is larger is terminated by the server at once.
 */
export class ByteBudget {
  #task = -1;
  #spent = 0;

  /**
   * A wait for the next workflow task, where this one has no room for `bytes` more. Mostly it has, and no promise is made:
   * the SDK takes a stack trace of each.
   */
  spend(bytes: number): Promise<void> | undefined {
    if (!this.#fits(bytes)) return this.#later(bytes);
    this.#spent += bytes;
    return undefined;
  }

  async #later(bytes: number): Promise<void> {
    do await sleep(1, { summary: 'large data goes on in the next workflow task' });
    while (!this.#fits(bytes));
    this.#spent += bytes;
  }

  #fits(bytes: number): boolean {
    const task = workflowInfo().historyLength;
    if (task !== this.#task) {
      this.#task = task;
      this.#spent = 0;
    }
    return this.#spent === 0 || this.#spent + bytes <= BYTES.task;
  }
}
