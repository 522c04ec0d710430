import { useEffect, useRef, useState } from 'react';
import type { RunState } from '../../../agent/state/run-state';
import { visible, visibleName } from '../../../agent/values/visible';
import { messageOf } from '../api/api-error';
import { retry, switchModel } from '../api/runs';
import { useRefusal } from '../app/rights';
import { durationText, timeText } from '../text/times';
import { useNowUntil } from '../text/use-now';

type Told = NonNullable<RunState['outage']>;

interface Props {
  id: string;
  outage: Told;
  models: readonly string[];
  model: number;
  /** What the run says may have changed. */
  onChange(): void;
}

/** No fact tells that a wait is over: the run is asked. Milliseconds. */
const LOOK = 2_000;

/** The model gives no answer: since when, when it is tried next, and what a person can do. */
export function Outage({ id, outage, models, model, onChange }: Props) {
  const { failures, nextAt } = outage;
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
  const others = models.filter((_, i) => i !== model);
  return (
    <section className="banner warn" aria-label="The model gives no answer">
      <p>
        <strong>{visibleName(models[model] ?? 'The model')} gives no answer</strong>
        {` since ${timeText(outage.since)}. ${nextText(nextAt, now)}`}
      </p>
      <p className="hint">{visible(outage.error.message)}</p>
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

/** When the model is tried again, as the run says. The clock of the browser may be ahead of that of the run. */
function nextText(nextAt: number | undefined, now: number): string {
  if (nextAt === undefined) return 'It is being tried again now.';
  if (nextAt <= now) return 'The next try is due.';
  const left = Math.ceil((nextAt - now) / 1_000) * 1_000;
  return `The next try is at ${timeText(nextAt, now)}, in ${durationText(left)}.`;
}
