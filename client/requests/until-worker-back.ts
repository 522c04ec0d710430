import { HoldfastError } from '../../agent/errors/error';

/** Milliseconds between two attempts of someone who waits for workers that have been away for `workerTimeout`. */
const PAUSE = 5000;

/** Who waits for a worker, and for how long. */
export interface WorkerPatience {
  /** Milliseconds that one reading waits while no worker answers. Default 60,000. */
  workerTimeout?: number | undefined;
  /**
   * Someone who follows a run, and has been answered before, waits for workers without end. Default: true without a
   * `workerTimeout`.
   */
  followsOn?: boolean | undefined;
}

/** How one reading asks workers. */
export interface WorkerAsking {
  workerTimeout?: number | undefined;
  /** Milliseconds between two attempts. */
  pause?: number;
}

/** Reads, again each time that no worker has answered for `workerTimeout`, as long as `goesOn` says so. */
export async function untilWorkerBack<T>(
  read: (asking: WorkerAsking) => Promise<T>,
  { workerTimeout, followsOn = workerTimeout === undefined }: WorkerPatience,
  goesOn: () => boolean,
): Promise<T> {
  for (let asking: WorkerAsking = { workerTimeout }; ; asking = { workerTimeout, pause: PAUSE }) {
    try {
      return await read(asking);
    } catch (error) {
      if (!followsOn || !isNoWorker(error) || !goesOn()) throw error;
    }
  }
}

export function isNoWorker(error: unknown): boolean {
  return error instanceof HoldfastError && error.type === 'NoWorker';
}
