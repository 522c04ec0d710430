import type { Conclusion } from '../state/conclusion';
import type { AgentState } from '../state/state';
import { failedCritical, isEnded, readySteps, type StepOf, stepsThat } from './ready-steps';
import type { FallbackReason, PlanState } from './step-plan';

/** What a run with the strategy `plan` does next. */
export type PlanMove =
  | { type: 'plan' }
  | { type: 'pick'; step: StepOf<'waiting'> }
  /** The calls that were picked for steps that do not wait for each other run at once. */
  | { type: 'call'; steps: StepOf<'picked'>[] }
  | { type: 'synthesise' }
  | { type: 'fallBack'; why: FallbackReason; problem?: string };

type Planned = Pick<AgentState, 'manifest' | 'plan' | 'exchange' | 'steers' | 'toolInteractions'>;

/** The plan of the exchange in progress; `undefined` if there is none, or if it is over. */
export function planInProgress({ plan, exchange }: Pick<Planned, 'plan' | 'exchange'>): PlanState | undefined {
  return plan?.exchange === exchange && plan.stage !== 'over' ? plan : undefined;
}

/**
 * The next move of a plan; `undefined` where the single loop goes on.
 * @param called the exchange has calls already
 * @param conclude why the single loop would ask for a conclusion
 */
export function nextMove(
  state: Planned,
  { called, conclude }: { called: boolean; conclude?: Conclusion | undefined },
): PlanMove | undefined {
  const { manifest, plan, exchange, steers, toolInteractions } = state;
  if (manifest?.strategy === undefined) return undefined;
  const current = planInProgress(state);
  if (current === undefined) {
    // Calls that were made before a plan must not be made again by it: an answer is regenerated, for example.
    const isNew = plan?.exchange !== exchange && !called && conclude === undefined;
    return isNew ? { type: 'plan' } : undefined;
  }
  if (steers.length > 0) return { type: 'fallBack', why: 'steered' };
  const move = moveOf(current, toolInteractions.max - toolInteractions.current);
  // Picked calls run, as the calls of an answer do.
  const mayGoOn =
    conclude === undefined || move.type === 'call' || (conclude === 'interactions' && move.type !== 'pick');
  return mayGoOn ? move : { type: 'fallBack', why: 'limit' };
}

/** @param left interactions that the quota leaves: each step is one */
function moveOf({ stage, steps }: PlanState, left: number): PlanMove {
  if (stage === 'denied') return { type: 'synthesise' };
  const failed = failedCritical(steps);
  if (failed !== undefined) return { type: 'fallBack', why: 'step', problem: `step ${failed.step}: ${failed.problem}` };
  const [ready] = readySteps(steps);
  const picked = stepsThat(steps, 'picked');
  if (ready !== undefined && (picked.length === 0 || picked.length < left)) return { type: 'pick', step: ready };
  if (picked.length > 0) return { type: 'call', steps: picked };
  if (steps.every(isEnded) && stepsThat(steps, 'done').length > 0) return { type: 'synthesise' };
  const last = stepsThat(steps, 'failed').at(-1);
  return { type: 'fallBack', why: 'uncalled', problem: last?.problem ?? 'no step has run' };
}
