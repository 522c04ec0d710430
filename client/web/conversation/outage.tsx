import { useEffect, useRef, useState } from 'react';
import type { PendingModel } from '../../../agent/protocol/queries';
import { awayText, failureText, nextTryText } from '../../../agent/state/outage-text';
import { visible, visibleName } from '../../../agent/values/visible';
import { messageOf } from '../api/api-error';
import { retry, switchModel } from '../api/runs';
import { Link } from '../app/link';
import { useRefusal } from '../app/rights';
import { durationText, timeText } from '../text/times';
import { useNowUntil } from '../text/use-now';

interface Props {
  outage: Omit<PendingModel, 'agent'>;
  /** The agent that works for the run on the page, if it is the one that waits. */
  agent?: string;
  /** Models that can take over. */
  others?: readonly string[];
  /** What the run says may have changed. */
  onChange(): void;
}

/** No fact tells that a wait is over: the run is asked. Milliseconds. */
const LOOK = 2_000;

/** The model gives no answer: since when, when it is tried next, and what a person can do. */
export function Outage({ outage, agent, others = [], onChange }: Props) {
  const { id, failures, nextAt } = outage;
  const now = useNowUntil(nextAt);
  const due = nextAt !== undefined && nextAt <= now;
  useEffect(() => {
    if (!due) return;
    onChange();
    const timer = setInterval(onChange, LOOK);
    return () => clearInterval(timer);
  }, [due, onChange]);
  // What was refused holds for the wait in which it was.
  const wait = `${failures} ${nextAt}`;
  const [refused, setRefused] = useState({ wait, problem: '' });
  const acting = useRef(false);
  const refusal = useRefusal('message');
  // A second press, such as that of a double click, asks for the same again.
  const run = async (act: () => Promise<unknown>) => {
    if (acting.current) return;
    acting.current = true;
    try {
      await act();
      setRefused({ wait, problem: '' });
      onChange();
    } catch (error) {
      setRefused({ wait, problem: messageOf(error) });
      onChange();
    } finally {
      acting.current = false;
    }
  };
  return (
    <section className="banner warn" aria-label="The model gives no answer">
      <p>
        {agent !== undefined && (
          <>
            The agent <Link to={{ view: 'run', id }}>{visibleName(agent)}</Link> is held up.{' '}
          </>
        )}
        <strong>{awayText(outage, PAGE_WORDS)}</strong>
        {` ${nextText(nextAt, now)}`}
      </p>
      <p className="hint">{visible(failureText(outage))}</p>
      {refusal === undefined && (
        <div className="actions">
          <button type="button" onClick={() => void run(() => retry(id))}>
            Try now
          </button>
          {others.map((name) => (
            <button type="button" key={name} onClick={() => void run(() => switchModel(id, name))}>
              Use {visibleName(name)}
            </button>
          ))}
        </div>
      )}
      {refused.wait === wait && refused.problem !== '' && (
        <p className="problem" role="alert">
          {refused.problem}
        </p>
      )}
    </section>
  );
}

/** Times of the reader's clock, and names that stand out by themselves. */
export const PAGE_WORDS = { time: (at: number) => timeText(at), name: visibleName };

/** When the model is tried again, as the run says. The clock of the browser may be ahead of that of the run. */
function nextText(nextAt: number | undefined, now: number): string {
  if (nextAt !== undefined && nextAt <= now) return 'The next try is due.';
  const left = (at: number) => durationText(Math.ceil((at - now) / 1_000) * 1_000);
  return nextTryText(nextAt, { time: (at) => `${timeText(at, now)}, in ${left(at)}` });
}
