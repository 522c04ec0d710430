import { WITH_ANSWER } from '../limits';
import type { ToolSpec } from '../protocol/manifest';
import type { CallPlan, PlannedCall } from './plan-calls';

/**
 * Whether calls of a tool may run where the model was asked, before the workflow hears of the answer: what may be repeated
 * without anybody noticing, and waits for nobody. If the worker dies the model is asked again, and may want something else.
 */
export function mayRunWithAnswer({ kind, placement, effect, approval }: ToolSpec): boolean {
  return (
    placement === 'inline' && effect === 'read' && approval === undefined && (kind === 'internal' || kind === 'mcp')
  );
}

/** Milliseconds that a model call takes longer for the tools that run with its answer: for them, and to begin and end. */
export function timeForTools({ chainId }: { chainId?: string }): number {
  return chainId === undefined ? 0 : 2 * WITH_ANSWER.time;
}

/**
 * The calls that run with their answer; none where one of the answer's calls may not. One of a lane may not: a tool that goes on
 * when its time is over would run beside itself, in an activity of its own.
 */
export function callsWithAnswer({ calls }: CallPlan): (PlannedCall & { tool: ToolSpec })[] {
  const runnable = calls.filter(isRunnable);
  const fits = runnable.every(({ tool, lane }) => lane === undefined && mayRunWithAnswer(tool));
  return fits ? runnable.slice(0, WITH_ANSWER.calls) : [];
}

function isRunnable(call: PlannedCall): call is PlannedCall & { tool: ToolSpec } {
  return call.tool !== undefined && call.problem === undefined;
}
