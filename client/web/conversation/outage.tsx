import { useState } from 'react';
import type { RunState } from '../../../agent/state/run-state';
import { visible, visibleName } from '../../../agent/values/visible';
import { messageOf } from '../api/api-error';
import { retry, switchModel } from '../api/runs';
import { useRefusal } from '../app/rights';
import { timeText } from '../text/times';

interface Props {
  id: string;
  outage: NonNullable<RunState['outage']>;
  models: readonly string[];
  model: number;
  onDone(): void;
}

/** The model gives no answer: since when, when it is tried next, and what a person can do. */
export function Outage({ id, outage, models, model, onDone }: Props) {
  const [problem, setProblem] = useState('');
  const refusal = useRefusal('message');
  const run = (action: Promise<unknown>) =>
    void action.then(
      () => {
        setProblem('');
        onDone();
      },
      (error: unknown) => setProblem(messageOf(error)),
    );
  const others = models.filter((_, i) => i !== model);
  const next =
    outage.nextAt === undefined ? 'It is being tried again now.' : `The next try is at ${timeText(outage.nextAt)}.`;
  return (
    <section className="banner warn" aria-label="The model gives no answer">
      <p>
        <strong>{visibleName(models[model] ?? 'The model')} gives no answer</strong>
        {` since ${timeText(outage.since)}. ${next}`}
      </p>
      <p className="hint">{visible(outage.error.message)}</p>
      {refusal === undefined && (
        <div className="actions">
          <button type="button" onClick={() => run(retry(id))}>
            Try now
          </button>
          {others.map((name) => (
            <button type="button" key={name} onClick={() => run(switchModel(id, name))}>
              Use {visibleName(name)}
            </button>
          ))}
        </div>
      )}
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
