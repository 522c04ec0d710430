import { whileLinked } from '../../runtime/abort/linked-abort';

/** Milliseconds after which Ctrl-Z has had no effect: the system ignores it where no shell could continue the program. */
const IGNORED = 100;

/**
 * Stops all processes of this job until the shell continues them. node:readline stops this process only: the shell of a
 * program that `npx` started then never gets the terminal back.
 */
export function suspend(): Promise<void> {
  return new Promise((resolve) => {
    const ignored = setTimeout(() => process.kill(process.pid, 'SIGCONT'), IGNORED);
    process.once('SIGCONT', () => {
      clearTimeout(ignored);
      resolve();
    });
    process.kill(0, 'SIGTSTP');
  });
}

/**
 * Asks at the terminal. After Ctrl-Z the question is asked again from the start, below what the shell has written.
 * @param ask asks until it is answered or its signal aborts: after Ctrl-Z, or with `signal`
 */
export async function askThroughSuspension<T>(
  signal: AbortSignal | undefined,
  ask: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  for (;;) {
    const stopped = new AbortController();
    // While it is there, the signal that node:readline sends at Ctrl-Z does not stop this process.
    const onStop = () => stopped.abort();
    process.on('SIGTSTP', onStop);
    const answer = await whileLinked([signal, stopped.signal], ask).finally(() => process.off('SIGTSTP', onStop));
    if (!stopped.signal.aborted) return answer;
    await suspend();
  }
}
