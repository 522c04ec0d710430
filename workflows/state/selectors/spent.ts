import { type Calls, NO_REPORT, type RunReport } from '../../../agent/budget/report';
import { addSpending, moneyIn, type SpentByRun, spendingIn } from '../../../agent/model/cost/spending';
import type { AgentState } from '../../../agent/state/state';

/** What the run and its child agents have used together. */
export function reportOf(state: AgentState): RunReport {
  const { calls, children } = state;
  return addReports({ ...spendingIn(state), calls }, children ?? NO_REPORT);
}

function addReports(a: RunReport, b: RunReport): RunReport {
  const calls: Calls = { model: a.calls.model + b.calls.model, tool: a.calls.tool + b.calls.tool };
  return { ...addSpending(a, b), calls };
}

/** The same as people are shown it: with the part of child agents, and without what only sums need. */
export function spentByRun(state: AgentState): SpentByRun {
  const { executionUnits, children } = state;
  const total = reportOf(state);
  const shown = { usage: total.usage, executionUnits, ...moneyIn(total) };
  if (children === undefined) return shown;
  return { ...shown, children: { runs: children.runs, usage: children.usage, ...moneyIn(children) } };
}

/** Adds what the run of a child agent has used. */
export function withChild(state: AgentState, spent: RunReport | undefined): AgentState {
  if (spent === undefined) return state;
  const { runs, ...before } = state.children ?? { ...NO_REPORT, runs: 0 };
  return { ...state, children: { runs: runs + 1, ...addReports(before, spent) } };
}
