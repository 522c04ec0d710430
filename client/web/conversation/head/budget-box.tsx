import { budgetLines } from '../../../../agent/budget/budget-text';
import { costText } from '../../../../agent/model/cost/spending';
import type { RunState } from '../../../../agent/state/run-state';
import { useRefusal } from '../../app/rights';
import { LimitForms } from './limit-forms';
import { Menu } from './menu';

interface Props {
  state: RunState;
  onAction(action: Promise<unknown>, done?: string): void;
}

/** What the run has used, and the limits of its budget, which a person can raise. */
export function BudgetBox({ state, onAction }: Props) {
  const { usage, budgets } = state;
  const cost = costText(state);
  const tokens = `${compactNumber(usage.prompt + usage.completion)} tokens`;
  const refusal = useRefusal('decide');
  const reached = budgets?.reached === undefined ? '' : 'Budget used up: ';
  return (
    <Menu label={`${reached}${cost === '' ? tokens : cost}`}>
      <div className="budget">
        <p>{`${(usage.prompt + usage.completion).toLocaleString()} tokens${cost === '' ? '' : `, ${cost}`}`}</p>
        {budgets === undefined ? (
          <p className="hint">No limits are set.</p>
        ) : (
          <>
            {refusal !== undefined && <p className="hint">{refusal}</p>}
            {refusal === undefined && <LimitForms id={state.id} budgets={budgets} onAction={onAction} />}
            <ul>
              {budgetLines(budgets).map((line) => (
                <li key={line} className="hint">
                  {line}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Menu>
  );
}

function compactNumber(number: number): string {
  return Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(number);
}
