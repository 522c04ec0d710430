import { TransformStream } from 'node:stream/web';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { HoldfastError } from '../../agent/errors/error';
import type { StorageConfig } from '../../runtime/config/storage';
import type { TemporalOptions } from '../../runtime/temporal/options';
import { workflowBundle } from '../bundle/bundle';
import { workerConverter } from '../data-converter';
import { computeTimeout } from '../options/compute-timeout';
import { workerTemporalOptions } from '../options/temporal-options';
import { ReplayStorage } from './replay-storage';

/** The history of one Temporal run. */
export interface RecordedHistory {
  /** The id of the run: ids of its children are derived from it. */
  workflowId: string;
  /** As the `fetchHistory` of a Temporal client returns it. */
  history: Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
}

/** How histories are replayed. */
interface ReplayerOptions {
  temporal?: TemporalOptions;
  storage?: StorageConfig;
  debugMode?: boolean;
}

/** Replays histories one after another on one worker, which is started with the first: each start costs a thread. */
export class Replayer {
  readonly #histories = new TransformStream<RecordedHistory, RecordedHistory>();
  readonly #writer = this.#histories.writable.getWriter();
  readonly #converter: ReturnType<typeof workerConverter>;
  readonly #storage: ReplayStorage;
  readonly #debugMode: boolean;
  #results: ReturnType<typeof Worker.runReplayHistories> | undefined;
  #last: Promise<void> = Promise.resolve();

  /**
   * @param options.temporal the payload codecs of the workers whose histories are replayed. Default: none
   * @param options.storage their storage, as in temporal.yaml. Default: none
   * @param options.debugMode replays in this thread, and traces all its promises from then on. Default: false, unlike in
   * the SDK
   * @throws HoldfastError `InvalidDefinition` for unsupported options, by name
   */
  constructor({ temporal, storage, debugMode = false }: ReplayerOptions = {}) {
    const { payloadCodecs = [] } = workerTemporalOptions(temporal).dataConverter;
    const converter = workerConverter(payloadCodecs, storage);
    this.#storage = new ReplayStorage(converter.externalStorage);
    this.#converter = { ...converter, externalStorage: this.#storage };
    this.#debugMode = debugMode;
  }

  /**
   * Runs a history through the workflows of this version.
   * @throws ReplayError, DeterminismViolationError if they would decide differently now, HoldfastError
   * `StorageUnavailable` if a payload that it needs could not be read
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
    const options = {
      workflowBundle: await workflowBundle(),
      dataConverter: this.#converter,
      debugMode: this.#debugMode,
      ...computeTimeout(this.#debugMode),
    };
    this.#results ??= Worker.runReplayHistories(options, this.#histories.readable);
    this.#storage.forget();
    const [next] = await Promise.all([this.#results.next(), this.#writer.write(recorded)]);
    if (next.done === true) throw new Error(`\`${recorded.workflowId}\` was not replayed: the worker for it has ended`);
    const { error } = next.value;
    if (error === undefined) return;
    const { problem } = this.#storage;
    throw problem === undefined ? error : new HoldfastError('StorageUnavailable', { problem }, { cause: error });
  }
}
