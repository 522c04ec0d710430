import { TransformStream } from 'node:stream/web';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import type { TemporalOptions } from '../../runtime/temporal/options';
import { workflowBundle } from '../bundle/bundle';
import { workerConverter } from '../data-converter';
import { workerTemporalOptions } from '../options/temporal-options';

/** The history of one Temporal run. */
export interface RecordedHistory {
  /** The id of the run: ids of its children are derived from it. */
  workflowId: string;
  /** As the `fetchHistory` of a Temporal client returns it. */
  history: Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
}

/** Replays histories one after another on one worker, which is started with the first: each start costs a thread. */
export class Replayer {
  readonly #histories = new TransformStream<RecordedHistory, RecordedHistory>();
  readonly #writer = this.#histories.writable.getWriter();
  readonly #converter: ReturnType<typeof workerConverter>;
  #results: ReturnType<typeof Worker.runReplayHistories> | undefined;
  #last: Promise<void> = Promise.resolve();

  /**
   * @param options.temporal the payload codecs of the workers whose histories are replayed. Default: none
   * @throws HoldfastError `InvalidDefinition` for unsupported options, by name
   */
  constructor({ temporal }: { temporal?: TemporalOptions } = {}) {
    this.#converter = workerConverter(workerTemporalOptions(temporal).dataConverter.payloadCodecs ?? []);
  }

  /**
   * Runs a history through the workflows of this version.
   * @throws ReplayError, DeterminismViolationError if they would decide differently now
   */
  replay(recorded: RecordedHistory): Promise<void> {
    const replayed = this.#last.then(() => this.#next(recorded));
    this.#last = replayed.catch(() => undefined);
    return replayed;
  }

  /** Ends its worker, after the replay in progress. */
  async close(): Promise<void> {
    await this.#last;
    if (this.#results === undefined) return;
    const [end] = await Promise.all([this.#results.next(), this.#writer.close()]);
    if (end.done !== true) throw new Error(`An unexpected replay of \`${end.value.workflowId}\``);
  }

  async #next(recorded: RecordedHistory): Promise<void> {
    // The default of the SDK would replay in this thread, and trace all its promises from then on.
    const options = { workflowBundle: await workflowBundle(), dataConverter: this.#converter, debugMode: false };
    this.#results ??= Worker.runReplayHistories(options, this.#histories.readable);
    const [next] = await Promise.all([this.#results.next(), this.#writer.write(recorded)]);
    if (next.done === true) throw new Error(`\`${recorded.workflowId}\` was not replayed: the worker for it has ended`);
    if (next.value.error !== undefined) throw next.value.error;
  }
}
