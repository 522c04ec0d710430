import { useChat } from '@ai-sdk/react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Fact } from '../../../../agent/protocol/facts/fact';
import type { RunState } from '../../../../agent/state/run-state';
import { messageOf } from '../../api/api-error';
import { followFacts } from '../../api/run-events';
import { noteNews } from '../../api/run-news';
import { stateOf, waitingOf } from '../../api/runs';
import { useStore } from '../../api/store';
import type { Waiting } from '../../api/types';
import { usePolled } from '../../api/use-polled';
import { changesTheChat } from './changing-facts';
import { takeFirstMessage } from './first-message';
import { RunChat } from './run-chat';
import { shownMessages } from './shown-messages';

const NOTHING: Waiting = { approvals: [], questions: [], services: [], models: [] };
/** Waits of child agents are not facts of this run: they are looked for. Milliseconds. */
const LOOK = 5_000;
/** Facts before the newest that are read: they say why the last exchange failed, and what the messages may be missing. */
const LATEST = 30;

/** Everything that the view of a run shows, kept up to date. */
export function useRun(id: string) {
  const [run, setRun] = useState<RunChat>();
  useEffect(() => {
    const chat = new RunChat(id);
    setRun(chat);
    void chat.sync().then(() => {
      const first = chat.closed ? undefined : takeFirstMessage(id);
      if (first !== undefined) chat.send(first);
    });
    return () => chat.close();
  }, [id]);
  return run?.id === id ? run : undefined;
}

export function useRunView(run: RunChat) {
  const { id } = run;
  const { messages, status } = useChat({ chat: run.chat, experimental_throttle: 50 });
  const view = useStore(run.view);
  const [state, setState] = useState<RunState>();
  const [problem, setProblem] = useState('');
  const fetchWaiting = useCallback(() => waitingOf(id), [id]);
  const { value: waiting = NOTHING, refresh: refreshWaiting } = usePolled(fetchWaiting, LOOK);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const refreshState = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      stateOf(id).then(
        (value) => {
          setState(value);
          setProblem('');
        },
        (failure: unknown) => setProblem(messageOf(failure)),
      );
    }, 200);
  }, [id]);

  useEffect(() => {
    const ended = new AbortController();
    const fact = (one: Fact) => {
      run.notice(one);
      refreshState();
      if (changesTheChat(one)) noteNews();
      if (/^(approval|question|service)\./.test(one.type) || one.type === 'exchange.end') refreshWaiting();
    };
    void (async () => {
      const first = await stateOf(id).catch(() => undefined);
      if (ended.signal.aborted) return;
      if (first !== undefined) setState(first);
      else refreshState();
      await followFacts(id, Math.max(0, (first?.facts ?? 0) - LATEST), ended.signal, {
        fact,
        reconnected: () => void run.sync(),
        end: refreshState,
      });
    })();
    return () => {
      ended.abort();
      clearTimeout(timer.current);
    };
  }, [id, run, refreshState, refreshWaiting]);

  const busy = status === 'submitted' || status === 'streaming';
  const shown = useMemo(() => shownMessages(messages, view.held), [messages, view.held]);
  return { ...view, messages: shown, busy, state, stateProblem: problem, waiting, refreshWaiting, refreshState };
}
