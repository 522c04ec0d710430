import { useEffect, useMemo, useRef, useState } from 'react';
import { awayText } from '../../../agent/state/outage-text';
import type { RunState } from '../../../agent/state/run-state';
import { visible, visibleName } from '../../../agent/values/visible';
import { ApiError, messageOf } from '../api/api-error';
import { interrupt, undo, type When } from '../api/runs';
import { announce } from '../app/announcer';
import { rememberWords } from '../app/first-words';
import { useRefusal } from '../app/rights';
import { Cards } from '../decisions/cards';
import { useDraft } from '../decisions/drafts';
import { BudgetEnd } from './budget-end';
import { Composer } from './composer';
import { RunHead } from './head/run-head';
import { meanwhileOf } from './meanwhile';
import type { ChatMessage } from './message/chat-message';
import { Message } from './message/message';
import { statusOf, unreadOfOthers, unreadSteers } from './message/message-parts';
import { RunActionsContext, type UndoState } from './message/run-actions';
import { Outage, PAGE_WORDS } from './outage';
import type { RunChat } from './run/run-chat';
import type { SteerMessage } from './run/steers';
import { useProblem } from './run/use-problem';
import { useRun, useRunView } from './run/use-run';
import { Services } from './services';
import { undoneText } from './undone-text';
import { useAnnouncements } from './use-announcements';
import { useStickToEnd } from './use-stick-to-end';

/** The view of one run: its messages, what waits, and the input. */
export function Conversation({ id }: { id: string }) {
  const run = useRun(id);
  return run === undefined ? null : <RunView key={id} run={run} />;
}

function RunView({ run }: { run: RunChat }) {
  const { id } = run;
  const view = useRunView(run);
  const { messages, state, waiting, busy, refreshState, refreshWaiting } = view;
  const [notice, setNotice] = useState('');
  const [draft, change] = useDraft(`message ${id}`, () => ({ text: '' }));
  const box = useRef<HTMLTextAreaElement>(null);
  const scroller = useStickToEnd();
  const last = messages.at(-1);
  const working = view.running || busy;
  const waits = waiting.approvals.length + waiting.questions.length;
  const refusal = useRefusal('message');
  const isQuiet = working && waits === 0 && state?.outage === undefined;
  const outage =
    state?.outage === undefined ? undefined : { ...state.outage, id, model: state.models[state.model] ?? '' };
  const below = (waiting.models ?? []).filter((model) => model.id !== id);
  const cause = useProblem(id, isQuiet, messages, state?.facts);
  const silence = below.length > 0 ? undefined : cause;
  const away = outage ?? below[0];
  useAnnouncements(run, { working, waiting, away: away && awayText(away, PAGE_WORDS), silence });
  // An agent below may have begun to wait for its model, which is no fact of this run.
  useEffect(() => {
    if (cause !== undefined) refreshWaiting();
  }, [cause, refreshWaiting]);
  useEffect(() => rememberWords(id, messages), [id, messages]);
  useEffect(() => {
    if (view.refused !== undefined) change({ text: view.refused.text });
  }, [view.refused, change]);

  /** `action` resolves with what there is to say. */
  const attempt = async (action: Promise<string>) => {
    try {
      const done = await action;
      setNotice(done);
      if (done !== '') announce(done);
    } catch (error) {
      setNotice(messageOf(error));
      announce(messageOf(error));
    }
    refreshState();
  };
  const synced = async (action: Promise<string>) => {
    const done = await action;
    await run.sync();
    return done;
  };
  const act = (action: Promise<unknown>, done = '') => void attempt(synced(action.then(() => done)));
  const takeBack = (what: { count: number } | { toolUseId: string }) =>
    void attempt(synced(undo(id, what).then(undoneText)));
  const send = (text: string) => {
    change({ text: '' });
    setNotice('');
    run.send(text);
  };
  const steer = (text: string, when: When) => {
    change({ text: '' });
    setNotice('');
    void run.steer(text, when).catch((error: unknown) => {
      change({ text });
      setNotice(messageOf(error));
    });
  };
  const undoable = useMemo(
    () => new Set(refusal === undefined ? state?.undoable.map(({ toolUseId }) => toolUseId) : []),
    [state?.undoable, refusal],
  );
  const undone = useMemo(
    () =>
      new Map<string, UndoState>([
        ...(state?.undone ?? []).map((one): [string, UndoState] => [one.toolUseId, { ...one, outcome: 'done' }]),
        ...(state?.undoUnknown ?? []).map((one): [string, UndoState] => [
          one.toolUseId,
          { ...one, outcome: 'unknown' },
        ]),
      ]),
    [state?.undone, state?.undoUnknown],
  );
  const meanwhile = meanwhileOf(waiting, state?.outage);
  const status = last === undefined ? undefined : statusOf(last);
  const problem = view.problem ?? view.refused?.why ?? failureOf(last, view.failure ?? state?.end?.error);
  const isSpent = (last?.metadata?.error ?? view.failure)?.type === 'BudgetExhausted';
  return (
    <RunActionsContext value={{ id, undoable, undone, undo: (toolUseId) => takeBack({ toolUseId }) }}>
      <RunHead
        id={id}
        state={state}
        working={working}
        waits={waits}
        onUndo={() => takeBack({ count: 1 })}
        onAction={act}
      />
      <div className="scroller" ref={scroller}>
        <div className="column">
          {view.loading && <p className="hint">Loading …</p>}
          {!view.loading && messages.length === 0 && state?.idle && state.exchange === 0 && (
            <p className="empty">No messages yet. Write the first one below.</p>
          )}
          {messages.map((message) => (
            <Message
              key={message.id}
              message={message}
              working={working && message === last && message.role === 'assistant'}
            />
          ))}
          {unreadSteers(view.steers, last).map(({ id: key, text, ...steered }) => (
            <article key={key} className="message user steer" aria-label="You, while it works">
              <p className="plain">{visible(text)}</p>
              <p className="hint">{becomesOf(steered, meanwhile.queue)}</p>
            </article>
          ))}
          {unreadOfOthers(state?.unread ?? [], { own: view.steers, messages }).map(
            ({ id: key, at, by, text, steers }) => (
              <article
                key={key ?? at}
                className="message user steer"
                aria-label={by === undefined ? 'Unread message' : `Unread message of ${visibleName(by)}`}
              >
                <p className="plain">{text}</p>
                <p className="hint">
                  {by === undefined ? '' : `${visibleName(by)}. `}
                  {steers ? `Queued: ${meanwhile.queue}` : 'Queued: it is answered after this exchange.'}
                </p>
              </article>
            ),
          )}
          <Services waiting={waiting.services ?? []} />
          <Cards
            waiting={waiting}
            onDecided={(left) => {
              refreshWaiting();
              if (!left) box.current?.focus();
            }}
          />
          {isQuiet && <p className="working-line">{visible(status ?? 'Working …')}</p>}
          {silence !== undefined && <p className="hint">{visible(silence)}</p>}
          {outage !== undefined && (
            <Outage
              outage={outage}
              others={state?.models.filter((_, i) => i !== state.model) ?? []}
              onChange={refreshState}
            />
          )}
          {below.map((model) => (
            <Outage key={model.id} outage={model} agent={model.agent} onChange={refreshWaiting} />
          ))}
          {problem !== '' && (
            <p className="problem" role="alert">
              {visible(problem)}
            </p>
          )}
          {isSpent && !working && state?.status === 'running' && <BudgetEnd state={state} onAction={act} />}
          {!working && view.compaction && <p className="notice">{visible(view.compaction)}</p>}
          {notice !== '' && <p className="notice">{visible(notice)}</p>}
        </div>
      </div>
      {state?.mode !== 'task' && (
        <Composer
          box={box}
          working={working}
          meanwhile={meanwhile}
          allowed={refusal === undefined}
          {...disabledBy(view.loading, state, refusal)}
          text={draft.text}
          onChange={(text) => change({ text })}
          onSend={send}
          onSteer={steer}
          onStop={() => void attempt(stop(id))}
        />
      )}
    </RunActionsContext>
  );
}

/** That it was stopped is said where the exchange ends. Nothing is said where it had just ended. */
async function stop(id: string): Promise<string> {
  try {
    await interrupt(id);
    announce('Stopped.');
  } catch (error) {
    if (!(error instanceof ApiError && error.type === 'NothingToInterrupt')) throw error;
  }
  return '';
}

/** Why the last exchange failed, unless its message says so. */
function failureOf(last: ChatMessage | undefined, failure: { message: string } | undefined): string {
  return last?.metadata?.error === undefined ? (failure?.message ?? '') : '';
}

/** What becomes of a message to an agent that works. */
function becomesOf({ when, unsent }: Pick<SteerMessage, 'when' | 'unsent'>, queue: string): string {
  if (unsent) return 'Sending …';
  return when === 'queue' ? `Queued: ${queue}` : 'Sent. The agent is about to read it.';
}

function disabledBy(loading: boolean, state: RunState | undefined, refusal: string | undefined): { disabled?: string } {
  if (refusal !== undefined) return { disabled: refusal };
  if (loading) return { disabled: 'Loading …' };
  if (state !== undefined && state.status !== 'running') return { disabled: `This run has ended (${state.status}).` };
  return state?.closing !== undefined ? { disabled: 'This conversation is closing. It takes no more messages.' } : {};
}
