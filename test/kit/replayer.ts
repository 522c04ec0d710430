import { TransformStream } from 'node:stream/web';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { workflowBundle } from '../../workers/bundle/bundle';

interface Recorded {
  workflowId: string;
  history: Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
}

/** Replays histories one after another on one worker, which is started with the first: each start costs a thread. */
export class Replayer {
  readonly #histories = new TransformStream<Recorded, Recorded>();
  readonly #writer = this.#histories.writable.getWriter();
  #results: ReturnType<typeof Worker.runReplayHistories> | undefined;
  #last: Promise<void> = Promise.resolve();

  /** @throws ReplayError, DeterminismViolationError if the workflows would decide differently now */
  replay(recorded: Recorded): Promise<void> {
    const replayed = this.#last.then(() => this.#next(recorded));
    this.#last = replayed.catch(() => undefined);
    return replayed;
  }

  async close(): Promise<void> {
    await this.#last;
    if (this.#results === undefined) return;
    const [end] = await Promise.all([this.#results.next(), this.#writer.close()]);
    if (end.done !== true) throw new Error(`An unexpected replay of \`${end.value.workflowId}\``);
  }

  async #next(recorded: Recorded): Promise<void> {
    // The default of the SDK would replay in this thread, and trace all its promises from then on.
    const options = { workflowBundle: await workflowBundle(), debugMode: false };
    this.#results ??= Worker.runReplayHistories(options, this.#histories.readable);
    const [next] = await Promise.all([this.#results.next(), this.#writer.write(recorded)]);
    if (next.done === true) throw new Error(`\`${recorded.workflowId}\` was not replayed: the worker for it has ended`);
    if (next.value.error !== undefined) throw next.value.error;
  }
}
