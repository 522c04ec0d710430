import { visible } from '../../../../agent/values/visible';
import type { Step } from './message-parts';

/** The steps of a plan, with where each is. */
export function Plan({ steps }: { steps: readonly Step[] }) {
  return (
    <details className="plan" open>
      <summary>{`Plan: ${steps.filter(({ status }) => status === 'done').length} of ${steps.length} steps done`}</summary>
      <ol>
        {steps.map(({ step, description, status }) => (
          <li key={step} className={status}>
            {visible(description)} <span className="hint">{visible(status)}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
