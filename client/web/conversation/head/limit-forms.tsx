import { useState } from 'react';
import { type BudgetKind, KINDS } from '../../../../agent/budget/amounts';
import { amountText, KIND_WORDS } from '../../../../agent/budget/budget-text';
import type { BudgetUse, BudgetView } from '../../../../agent/state/budget-view';
import { raiseBudget } from '../../api/runs';

interface Props {
  id: string;
  budgets: BudgetView;
  onAction(action: Promise<unknown>, done?: string): void;
}

/** The limits of a run's budget, each with an input for a new one. */
export function LimitForms({ id, budgets, onAction }: Props) {
  return usesOf(budgets.run).map(([kind, use]) => (
    <LimitForm
      key={kind}
      kind={kind}
      use={use}
      onRaise={(limit) => {
        const limits = { [kind]: kind === 'cost' ? { amount: limit, currency: use.currency ?? 'USD' } : limit };
        onAction(raiseBudget(id, limits, 'run'), 'The limit was changed.');
      }}
    />
  ));
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
