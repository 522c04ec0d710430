import { WITH_ANSWER } from '../limits';
import type { ToolSpec } from '../protocol/manifest';
import type { CallPlan, PlannedCall } from './plan-calls';

/**
 * Whether calls of a tool may run in the activity of the model call, before the workflow gets the answer. Repeating the
 * call must be harmless, and the call must not wait for a person. If the worker dies, the model is called again and may
 * answer differently.
 */
export function mayRunWithAnswer({ kind, placement, effect, approval }: ToolSpec): boolean {
  return (
    placement === 'inline' && effect === 'read' && approval === undefined && (kind === 'internal' || kind === 'mcp')
  );
}

/** Additional milliseconds of a model call for the tools that run with its answer, including their start and end. */
export function timeForTools({ chainId }: { chainId?: string }): number {
  return chainId === undefined ? 0 : 2 * WITH_ANSWER.time;
}

/**
 * The calls that run with their answer; none if one of the answer's calls may not. A call in a lane may not: a tool
 * that continues after its time is over would run at the same time as its own call in a separate activity.
 */
export function callsWithAnswer({ calls }: CallPlan): (PlannedCall & { tool: ToolSpec })[] {
  const runnable = calls.filter(isRunnable);
  const fits = runnable.every(({ tool, lane }) => lane === undefined && mayRunWithAnswer(tool));
  return fits ? runnable.slice(0, WITH_ANSWER.calls) : [];
}

function isRunnable(call: PlannedCall): call is PlannedCall & { tool: ToolSpec } {
  return call.tool !== undefined && call.problem === undefined;
}
