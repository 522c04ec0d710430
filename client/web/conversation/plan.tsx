import { visible } from '../../../agent/values/visible';
import type { ChatData } from './chat-message';

/** The steps of a plan, with where each is. */
export function Plan({ steps }: ChatData['plan']) {
  return (
    <details className="plan" open>
      <summary>{`Plan: ${steps.filter(({ status }) => status === 'done').length} of ${steps.length} steps done`}</summary>
      <ol>
        {steps.map(({ description, status }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other id.
          <li key={i} className={status}>
            {visible(description)} <span className="hint">{visible(status)}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
