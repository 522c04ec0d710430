import { useEffect, useState } from 'react';
import type { Fact } from '../../../agent/protocol/facts/fact';
import { messageOf } from '../api/api-error';
import { followFacts } from '../api/run-events';

/** All facts of a run, and those that follow. Many at once are shown at once. */
export function useFacts(id: string): { facts: readonly Fact[]; ended: boolean; problem: string } {
  const [state, setState] = useState<{ facts: readonly Fact[]; ended: boolean; problem: string }>(NONE);
  useEffect(() => {
    const closed = new AbortController();
    let arrived: Fact[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      const more = arrived;
      arrived = [];
      setState((old) => ({ ...old, facts: [...old.facts, ...more] }));
    };
    setState(NONE);
    void followFacts(id, 0, closed.signal, {
      fact(fact) {
        arrived.push(fact);
        timer ??= setTimeout(show, 100);
      },
      end: () => setState((old) => ({ ...old, ended: true })),
      failed: (error) => setState((old) => ({ ...old, problem: messageOf(error) })),
    });
    return () => {
      closed.abort();
      clearTimeout(timer);
    };
  }, [id]);
  return state;
}

const NONE = { facts: [], ended: false, problem: '' };
