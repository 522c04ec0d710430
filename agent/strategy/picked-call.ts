import type { ModelAnswer } from '../model/answer';
import { type PlanBasis, type PlannedCall, planCalls } from '../plan/plan-calls';
import { noToolCalled } from '../prompts/plans';
import type { StepOf } from './ready-steps';
import type { Picked } from './step-plan';

/** The first call of a router's answer that can be made, or what is wrong with the first. Others are dropped. */
export function pickedBy({ toolRequests }: Pick<ModelAnswer, 'toolRequests'>, basis: PlanBasis): Picked {
  // A used-up budget ends the plan; a router cannot correct it.
  const { toolCallsLeft: _, ...rules } = basis;
  const [first] = toolRequests.map((request) => planCalls([request], rules).calls[0]);
  const good = toolRequests.find((request) => planCalls([request], rules).calls[0]?.problem === undefined);
  if (good === undefined) return { problem: first?.problem?.message ?? noToolCalled() };
  // Servers number the calls of each answer from the start: together, two calls would have one id.
  const { providerId: _id, ...request } = good;
  return { request };
}

/** The calls of steps that run at once. Each has the id of its own turn, as the rules of its tool saw it. */
export function callsOfSteps(
  steps: readonly StepOf<'picked'>[],
  basis: PlanBasis,
): { step: number; call: PlannedCall }[] {
  const { toolCallsLeft: left } = basis;
  return steps.flatMap(({ step, turn, request }, i) => {
    const toolCallsLeft = left === undefined ? undefined : Math.max(0, left - i);
    return planCalls([request], { ...basis, turn, toolCallsLeft }).calls.map((call) => ({ step, call }));
  });
}
