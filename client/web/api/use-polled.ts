import { useCallback, useEffect, useRef, useState } from 'react';
import { backOff, pause } from './back-off';

/** A value that is fetched again and again while the page is visible, and at once after `refresh`. */
export interface Polled<T> {
  value?: T;
  error?: unknown;
  refresh(): void;
}

export function usePolled<T>(fetchIt: () => Promise<T>, every: number): Polled<T> {
  const [state, setState] = useState<{ value?: T; error?: unknown }>({});
  const wake = useRef<() => void>(() => {});
  useEffect(() => {
    const ended = new AbortController();
    void (async () => {
      for (let tries = 0; !ended.signal.aborted; ) {
        const woken = new AbortController();
        wake.current = () => woken.abort();
        try {
          const value = await fetchIt();
          tries = 0;
          if (!ended.signal.aborted) setState((old) => (same(old.value, value) && !old.error ? old : { value }));
        } catch (error) {
          tries += 1;
          if (!ended.signal.aborted) setState((old) => ({ ...old, error }));
        }
        const wait = tries === 0 ? every : backOff(tries, Math.random());
        await pause(document.hidden ? wait * 20 : wait, AbortSignal.any([ended.signal, woken.signal]));
      }
    })();
    return () => ended.abort();
  }, [fetchIt, every]);
  const refresh = useCallback(() => wake.current(), []);
  return { ...state, refresh };
}

/** An equal value is not shown again: no card is drawn twice a second. */
function same(a: unknown, b: unknown): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}
