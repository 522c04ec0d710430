import type { RunState } from '../../../agent/state/run-state';
import { regenerate } from '../api/runs';
import { useRefusal } from '../app/rights';
import { LimitForms } from './head/limit-forms';

interface Props {
  state: RunState;
  onAction(action: Promise<unknown>, done?: string): void;
}

/** The last message was not answered because the budget is used up: it can be raised here, and the message answered. */
export function BudgetEnd({ state, onAction }: Props) {
  const mayNotRaise = useRefusal('decide');
  const mayNotSay = useRefusal('message');
  const { id, budgets } = state;
  if (budgets === undefined) return null;
  return (
    <section className="banner warn" aria-label="The budget is used up">
      <p>
        <strong>The budget leaves too little for another call.</strong>{' '}
        {mayNotRaise ?? 'Set a higher limit, then have your message answered.'}
      </p>
      {mayNotRaise === undefined && <LimitForms id={id} budgets={budgets} onAction={onAction} />}
      {mayNotSay === undefined && state.mode === 'conversation' && (
        <div className="actions">
          <button type="button" onClick={() => onAction(regenerate(id))}>
            Answer my message
          </button>
        </div>
      )}
    </section>
  );
}
