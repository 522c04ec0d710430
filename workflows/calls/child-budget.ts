import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ApplicationFailure, ChildWorkflowFailure } from '@temporalio/workflow';
import type { BudgetLimits } from '../../agent/budget/amounts';
import type { Budget, BudgetSpec } from '../../agent/budget/budget';
import { readReport } from '../../agent/budget/report';
import { isNothing, reservedBy, shareOf } from '../../agent/budget/shares';
import type { ServiceSpec } from '../../agent/protocol/service-spec';
import type { ServiceAnswer } from '../../agent/state/awaited-service';
import { defined } from '../../agent/values/defined';
import type { Run } from '../run/run';
import { childrenToCome, freeForChildren } from '../state/selectors/child-budget';

/** What a child agent may spend: its share, or what it must not be asked for. */
export type ChildBudget = { budget?: Budget } | { nothing: true };

/** Sets aside the share of a child agent. What it does not use returns when it ends. */
export function reserveShare(run: Run, toolUseId: string, service: ServiceSpec): ChildBudget {
  if (service.kind !== 'agent') return {};
  const own: Pick<BudgetSpec, 'run' | 'soft'> = service.budget ?? { run: {} };
  const { state } = run;
  if (state.budgets === undefined) return budgetOf(own.run, own.soft);
  const share = shareOf(freeForChildren(state, Date.now()), [own.run, ...childrenToCome(state, toolUseId)]);
  if (isNothing(share)) return { nothing: true };
  run.apply({ type: 'reserved', key: toolUseId, amounts: reservedBy(share) });
  return budgetOf(share, own.soft);
}

/**
 * A child agent has ended without an answer. Its failure may say what it has used; otherwise all of its share counts,
 * unless it never started.
 */
export function endShare(run: Run, toolUseId: string, error: unknown): void {
  const cause = error instanceof ChildWorkflowFailure ? error.cause : error;
  const spent = cause instanceof ApplicationFailure ? readReport(cause.details?.[1]) : undefined;
  if (spent !== undefined) run.apply({ type: 'childReported', spent });
  else if (!(cause instanceof WorkflowExecutionAlreadyStartedError)) run.apply({ type: 'childLost', toolUseId });
  release(run, toolUseId);
}

/** What a child agent has not used is free again. */
export function releaseShare(run: Run, toolUseId: string, { spent }: ServiceAnswer): void {
  if (spent === undefined) run.apply({ type: 'childLost', toolUseId });
  release(run, toolUseId);
}

function release(run: Run, toolUseId: string): void {
  if (run.state.budgets !== undefined) run.apply({ type: 'released', key: toolUseId });
}

function budgetOf(limits: BudgetLimits, soft: number | undefined): ChildBudget {
  const budget: Budget = { ...limits, ...defined({ soft }) };
  return Object.keys(budget).length === 0 ? {} : { budget };
}
