import { callKey } from '../breakers/blocked-calls';
import type { ModelAnswer, ToolRequest } from '../model/answer';
import { type PlanBasis, type PlannedCall, planCalls } from '../plan/plan-calls';
import { madeByAnotherStep, noToolCalled } from '../prompts/plans';
import type { ToolSpec } from '../protocol/manifest';
import type { StepOf } from './ready-steps';
import type { Picked, StepState } from './step-plan';

/**
 * The first call of a router's answer that can be made, or what is wrong with the first. Others are dropped. `taken`: calls
 * of other steps that must not be made twice, by {@link callKey}. With an approval policy a person is asked instead.
 */
export function pickedBy(
  { toolRequests }: Pick<ModelAnswer, 'toolRequests'>,
  basis: PlanBasis,
  taken: readonly string[] = [],
): Picked {
  // A used-up budget ends the plan; a router cannot correct it.
  const { toolCallsLeft: _, ...rules } = basis;
  const problemOf = (request: ToolRequest): string | undefined => {
    const [call] = planCalls([request], rules).calls;
    const { tool, problem } = call ?? {};
    if (problem !== undefined || tool === undefined || tool.approval !== undefined) return problem?.message;
    return taken.includes(callKey(tool.name, request.hash)) ? madeByAnotherStep(tool.modelName) : undefined;
  };
  const [first] = toolRequests.map(problemOf);
  const good = toolRequests.find((request) => problemOf(request) === undefined);
  if (good === undefined) return { problem: first ?? noToolCalled() };
  // Servers number the calls of each answer from the start: together, two calls would have one id.
  const { providerId: _id, ...request } = good;
  return { request };
}

/** The calls of `once` tools that steps have made, or are about to make, by {@link callKey}. */
export function onceCalls(steps: readonly StepState[], tools: readonly ToolSpec[]): string[] {
  return steps.flatMap((step) => {
    if (step.status === 'done') return step.call ?? [];
    if (step.status !== 'picked') return [];
    const { name, hash } = step.request;
    const tool = tools.find(({ modelName }) => modelName === name);
    return tool?.effect === 'once' ? [callKey(tool.name, hash)] : [];
  });
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
