import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';

/** Milliseconds between heartbeats: on a timer, never per token. */
const INTERVAL = 1000;

/** Milliseconds that a function of the user's has to end by itself once its signal aborted. */
export const GRACE = 2000;

/** What each activity last said of itself: a heartbeat without it would take it from the eyes of whoever looks on. */
const details = new WeakMap<Context, unknown>();

/** Sends a heartbeat now, and its details with every later one. */
export function beat(what: unknown): void {
  const context = Context.current();
  if (what !== undefined) details.set(context, what);
  context.heartbeat(details.get(context));
}

/**
 * Runs `work` with a heartbeat every second: it proves that the worker lives and brings a cancel back. None at the start,
 * which proves it as well: the call and the server's write of it cost a short activity as much as all else.
 */
export async function withHeartbeat<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(details.get(context)), INTERVAL);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}

/**
 * The same for work that may simply be done again. What it throws once its signal aborted is no fault of it: a function
 * of the user's that passes the signal on must not end the run because a worker is deployed. One that does not listen is
 * not waited for: a worker could not end.
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

/** The activity was told to stop because its worker shuts down: nobody asked for the run to end. */
export function shutsDown(): boolean {
  return Context.current().cancellationDetails?.workerShutdown === true;
}

/** Sends the work to another worker. */
export function workerShutdown(): ApplicationFailure {
  return ApplicationFailure.create({ type: 'WorkerShutdown', message: 'The worker shuts down.', nextRetryDelay: 100 });
}
