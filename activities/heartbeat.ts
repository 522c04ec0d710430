import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';

/** Milliseconds between heartbeats: on a timer, never per token. */
const INTERVAL = 1000;

/** How many milliseconds a user's function has to end by itself after its signal aborts. */
export const GRACE = 2000;

/** The last details of each activity: a heartbeat without them would remove them from the view of observers. */
const details = new WeakMap<Context, unknown>();

/** Sends a heartbeat now; its details go along with every later one. */
export function beat(what: unknown): void {
  const context = Context.current();
  if (what !== undefined) details.set(context, what);
  context.heartbeat(details.get(context));
}

/**
 * Runs `work` with a heartbeat every second: it proves that the worker lives and brings back a cancel. There is none at
 * the start, which itself proves it: the heartbeat and the server's write of it would cost a short activity as much as
 * the rest.
 * @param say the details of each; by default those of the last {@link beat}
 */
export async function withHeartbeat<T>(work: (signal: AbortSignal) => Promise<T>, say?: () => unknown): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(say === undefined ? details.get(context) : say()), INTERVAL);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}

/**
 * The same for work that can safely be repeated. What it throws after its signal aborted is not its fault: a user's
 * function that passes the signal on must not end the run because a worker is deployed. A function that ignores the
 * signal is not waited for: the worker could not end.
 */
export function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return withHeartbeat(async (signal) => {
    let timer: NodeJS.Timeout | undefined;
    const gaveUp = new Promise<never>((_, reject) => {
      const give = () => {
        timer = setTimeout(() => reject(signal.reason), GRACE);
      };
      if (signal.aborted) give();
      else signal.addEventListener('abort', give, { once: true });
    });
    try {
      return await Promise.race([work(signal), gaveUp]);
    } catch (error) {
      if (!signal.aborted) throw error;
      throw shutsDown() ? workerShutdown() : new CancelledFailure('The activity was cancelled.');
    } finally {
      clearTimeout(timer);
    }
  });
}

/** The activity was told to stop because its worker shuts down: the run itself was not cancelled. */
export function shutsDown(): boolean {
  return Context.current().cancellationDetails?.workerShutdown === true;
}

/** Sends the work to another worker. */
export function workerShutdown(): ApplicationFailure {
  return ApplicationFailure.create({ type: 'WorkerShutdown', message: 'The worker shuts down.', nextRetryDelay: 100 });
}
