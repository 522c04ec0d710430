const FIRST = 500;
const LONGEST = 8_000;

/** Milliseconds before try number `tries` (from 1). `random` spreads the clients of a server that has come back. */
export function backOff(tries: number, random: number): number {
  const longest = Math.min(LONGEST, FIRST * 2 ** (tries - 1));
  return Math.round(longest * (0.5 + random / 2));
}

/** Waits, but not while the browser is offline, nor when the page becomes visible: then the next try is made at once. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      removeEventListener('holdfast-try-now', done);
      document.removeEventListener('visibilitychange', shown);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const shown = () => {
      if (document.visibilityState === 'visible') done();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener('online', done);
    addEventListener('holdfast-try-now', done);
    document.addEventListener('visibilitychange', shown);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}

/** Ends all pauses: a person asked for the next try. */
export function tryNow(): void {
  dispatchEvent(new Event('holdfast-try-now'));
}
