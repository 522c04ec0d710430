import { useEffect, useState } from 'react';
import { pause } from '../../api/back-off';
import { problemOf } from '../../api/runs';

/** Milliseconds without a sign of life of a run that works before the reason is asked for. */
const SILENCE = 1_000;
/** Milliseconds until it is asked for again. */
const AGAIN = 2_000;

/** Why nothing happens in a run that is `due` to do something, as far as it is known. `signs` change when something happens. */
export function useProblem(id: string, due: boolean, ...signs: readonly unknown[]): string | undefined {
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    setProblem(undefined);
    if (!due) return;
    const ended = new AbortController();
    void (async () => {
      for (let wait = SILENCE; ; wait = AGAIN) {
        await pause(wait, ended.signal);
        if (ended.signal.aborted) return;
        if (document.hidden) continue;
        // A banner says that the server is away.
        const found = await problemOf(id).catch(() => undefined);
        if (!ended.signal.aborted) setProblem(found);
      }
    })();
    return () => ended.abort();
  }, [id, due, ...signs]);
  return problem;
}
