import { useState } from 'react';
import { type BudgetKind, KINDS } from '../../../../agent/budget/amounts';
import { amountText, budgetLines, KIND_WORDS } from '../../../../agent/budget/budget-text';
import { costText } from '../../../../agent/model/cost/spending';
import type { BudgetUse } from '../../../../agent/state/budget-view';
import type { RunState } from '../../../../agent/state/run-state';
import { raiseBudget } from '../../api/runs';
import { useRefusal } from '../../app/rights';
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
            {usesOf(refusal === undefined ? budgets.run : {}).map(([kind, use]) => (
              <LimitForm
                key={kind}
                kind={kind}
                use={use}
                onRaise={(limit) => {
                  const limits = {
                    [kind]: kind === 'cost' ? { amount: limit, currency: use.currency ?? 'USD' } : limit,
                  };
                  onAction(raiseBudget(state.id, limits, 'run'), 'The limit was changed.');
                }}
              />
            ))}
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

function LimitForm({ kind, use, onRaise }: { kind: BudgetKind; use: BudgetUse; onRaise(limit: number): void }) {
  const [typed, setTyped] = useState('');
  const limit = Number(typed);
  const valid = typed.trim() !== '' && Number.isFinite(limit) && limit > 0;
  const name = KIND_WORDS[kind];
  return (
    <form
      className="limit"
      onSubmit={(event) => {
        event.preventDefault();
        if (valid) onRaise(limit);
        setTyped('');
      }}
    >
      <span>{name}</span>
      <meter value={use.spent + use.reserved} max={use.limit} high={use.limit * 0.8} aria-label={`${name} used`} />
      <input
        inputMode="decimal"
        aria-label={`New limit for ${name}`}
        placeholder={amountText(kind, use.limit, use.currency)}
        value={typed}
        onChange={(e) => setTyped(e.target.value)}
      />
      <button type="submit" className="small" disabled={!valid}>
        Set
      </button>
    </form>
  );
}

/** A deadline cannot be raised. */
function usesOf(uses: { [Kind in BudgetKind]?: BudgetUse }): [BudgetKind, BudgetUse][] {
  return KINDS.flatMap((kind): [BudgetKind, BudgetUse][] => {
    const use = uses[kind];
    return use === undefined || kind === 'deadline' ? [] : [[kind, use]];
  });
}

function compactNumber(number: number): string {
  return Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(number);
}
