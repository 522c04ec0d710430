import { callKey } from '../../../agent/breakers/blocked-calls';
import type { ToolRequest } from '../../../agent/model/answer';
import { planGivenUp, planUnreadable } from '../../../agent/prompts/plans';
import type { FactBody } from '../../../agent/protocol/facts/fact';
import type { BatchCall } from '../../../agent/state/batch';
import type { AgentState } from '../../../agent/state/state';
import type { CallPurpose } from '../../../agent/strategy/call-purpose';
import { planOf } from '../../../agent/strategy/check-plan';
import { planInProgress } from '../../../agent/strategy/next-move';
import { FOLLOW_PLAN_TOOL } from '../../../agent/strategy/offered-tools';
import { stepsThat } from '../../../agent/strategy/ready-steps';
import type { FallbackReason, PlanState, PlanStep, StepState } from '../../../agent/strategy/step-plan';
import { defined } from '../../../agent/values/defined';
import { errorOf, inputOf, toolOf } from '../selectors/calls';
import { append, type Reducers, type Step } from './append';
import { unread } from './conversation';

/** Answers of routers after which a step has failed (source: three tries). */
const MAX_TRIES = 3;

/** Inputs about the plan of a task, or of an exchange, and about the model calls that belong to it. */
export type PlanInput =
  | { type: 'asking'; purpose: CallPurpose }
  | { type: 'unasked' }
  /** `approving`: a person decides about it, by a call of the batch that follows. */
  | { type: 'planMade'; steps: PlanStep[]; approving: boolean }
  | { type: 'planDirect' }
  | { type: 'stepPicked'; step: number; request: ToolRequest }
  | { type: 'stepUnpicked'; step: number; problem: string }
  | { type: 'stepsCalled'; calls: { step: number; toolUseId: string; name: string }[] }
  | { type: 'planAnswered' }
  | { type: 'planGivenUp'; why: FallbackReason; problem?: string };

/** Reducers for plans. */
export const planReducers: Reducers<PlanInput> = {
  asking: (state, { purpose }) => asking(state, purpose),
  unasked: (state) => ({ state: { ...state, turn: state.turn - 1 }, facts: [] }),
  planMade: (state, { steps, approving }) => ({
    state: withPlan(state, approving ? { stage: 'approving', steps: [] } : { stage: 'running', steps: waiting(steps) }),
    facts: [{ type: 'plan.made', turn: state.turn, steps }],
  }),
  planDirect: (state) => ({
    state: withPlan(state, { stage: 'over', steps: [] }),
    facts: [{ type: 'plan.direct', turn: state.turn }],
  }),
  stepPicked: (state, { step, request }) => {
    const { turn } = state;
    const picked = changeSteps(state, (one) =>
      one.step === step ? { ...stepOf(one), status: 'picked', turn, request } : one,
    );
    return { state: picked, facts: [] };
  },
  stepUnpicked,
  stepsCalled,
  planAnswered: (state) => {
    const steps = planInProgress(state)?.steps ?? [];
    const [done, failed] = [stepsThat(steps, 'done').length, stepsThat(steps, 'failed').length];
    return {
      state: withPlan(state, { stage: 'over', steps }),
      facts: [{ type: 'plan.done', turn: state.turn, done, failed }],
    };
  },
  planGivenUp: givenUp,
};

/** A model call of another purpose is a turn, but no interaction: steps are counted when they are called. */
function asking(state: AgentState, purpose: CallPurpose): Step {
  const turn = state.turn + 1;
  // Only a plan that is still to be made can take in what people say.
  const isPlanner = purpose.for === 'planner';
  const steers = isPlanner ? [] : state.steers;
  const read = unread(isPlanner ? state : { ...state, steers: [] });
  const next: AgentState = { ...state, notes: [], steers, turn };
  const { lifecycle } = state;
  return append(next, read, [{ type: 'loop.iteration', turn, lifecycle, for: purpose.for }]);
}

function stepUnpicked(state: AgentState, { step, problem }: Extract<PlanInput, { type: 'stepUnpicked' }>): Step {
  const facts: FactBody[] = [];
  const next = changeSteps(state, (one) => {
    if (one.step !== step || one.status !== 'waiting') return one;
    const tries = one.tries + 1;
    if (tries < MAX_TRIES) return { ...one, tries, problem };
    facts.push(stepFact(state.turn, one, { status: 'failed', problem }));
    return { ...stepOf(one), status: 'failed', problem };
  });
  return { state: next, facts };
}

function stepsCalled(state: AgentState, { calls }: Extract<PlanInput, { type: 'stepsCalled' }>): Step {
  const facts: FactBody[] = [];
  const next = changeSteps(state, (one) => {
    const call = calls.find(({ step }) => step === one.step);
    if (call === undefined) return one;
    const { toolUseId, name } = call;
    facts.push(stepFact(state.turn, one, { status: 'called', toolUseId, name }));
    return { ...stepOf(one), status: 'called', toolUseId };
  });
  const { current, max } = state.toolInteractions;
  return { state: { ...next, toolInteractions: { current: current + calls.length, max } }, facts };
}

/** Takes what the calls of a settled batch mean for the plan that they belong to. */
export function withPlanResults(state: AgentState): Step {
  const plan = planInProgress(state);
  if (plan === undefined) return { state, facts: [] };
  if (plan.stage === 'approving') return decided(state);
  const facts: FactBody[] = [];
  const next = changeSteps(state, (one) => {
    const call = one.status === 'called' && state.batch.find(({ toolUseId }) => toolUseId === one.toolUseId);
    if (!call) return one;
    const { toolUseId, name } = call;
    const problem = errorOf(call)?.message;
    const status = problem === undefined ? 'done' : 'failed';
    facts.push(stepFact(state.turn, one, { status, toolUseId, name, ...defined({ problem }) }));
    return problem === undefined
      ? { ...stepOf(one), status: 'done', toolUseId, ...onceOnly(state, call) }
      : { ...stepOf(one), status: 'failed', problem: problem.slice(0, MAX_PROBLEM), toolUseId };
  });
  return { state: next, facts };
}

/** A call whose effect must not happen twice is remembered, for the model that goes on if the plan is given up. */
function onceOnly(state: AgentState, { name, hash }: BatchCall): { call?: string } {
  return toolOf(state, name)?.effect === 'once' ? { call: callKey(name, hash) } : {};
}

/** The results themselves are in the transcript. */
const MAX_PROBLEM = 1000;

/** A person decided about the plan: it runs, perhaps edited, or nothing runs. */
function decided(state: AgentState): Step {
  const call = state.batch.find(({ name }) => name === FOLLOW_PLAN_TOOL);
  if (call === undefined) return { state, facts: [] };
  const { turn } = state;
  const refused = errorOf(call)?.type;
  if (refused !== undefined) {
    // An interrupt withdraws the call without a decision.
    const isDecided = refused === 'Denied' || refused === 'ApprovalExpired';
    const facts: FactBody[] = isDecided ? [{ type: 'plan.decided', turn, approved: false, steps: [] }] : [];
    return { state: withPlan(state, { stage: 'denied', steps: [] }), facts };
  }
  const plan = stepsOf(call);
  if (plan.type === 'unreadable') return givenUp(state, { why: 'unreadable', problem: planUnreadable(plan.problem) });
  const { steps } = plan;
  return {
    state: withPlan(state, { stage: 'running', steps: waiting(steps) }),
    facts: [{ type: 'plan.decided', turn, approved: true, steps }],
  };
}

function stepsOf(call: BatchCall): ReturnType<typeof planOf> {
  return planOf(inputOf(call).steps);
}

/** The single loop goes on. Its model reads which steps have run, so that it repeats none of them. */
function givenUp(state: AgentState, { why, problem }: Omit<Extract<PlanInput, { type: 'planGivenUp' }>, 'type'>): Step {
  const steps = planInProgress(state)?.steps ?? [];
  const began = steps.some((step) => 'toolUseId' in step && step.toolUseId !== undefined);
  const told = steps.map(({ step, description, status }) => {
    return { step, description, status: status === 'done' || status === 'failed' ? status : ('open' as const) };
  });
  const notes = began ? [...state.notes, planGivenUp(told, problem)] : state.notes;
  return {
    state: { ...withPlan(state, { stage: 'over', steps }), notes },
    facts: [{ type: 'plan.fallback', turn: state.turn, why, ...defined({ problem }) }],
  };
}

function withPlan(state: AgentState, plan: Omit<PlanState, 'exchange'>): AgentState {
  return { ...state, plan: { exchange: state.exchange, ...plan } };
}

function changeSteps(state: AgentState, change: (step: StepState) => StepState): AgentState {
  const plan = planInProgress(state);
  return plan === undefined ? state : withPlan(state, { ...plan, steps: plan.steps.map(change) });
}

function waiting(steps: readonly PlanStep[]): StepState[] {
  return steps.map((step) => ({ ...step, status: 'waiting', tries: 0 }));
}

/** A step without what its status says. */
function stepOf({ step, description, server, hints, after, critical }: PlanStep): PlanStep {
  return { step, description, ...defined({ server, hints }), after, critical };
}

type StepFact = Extract<FactBody, { type: 'plan.step' }>;

function stepFact(
  turn: number,
  { step, description }: PlanStep,
  about: Pick<StepFact, 'status' | 'toolUseId' | 'name' | 'problem'>,
): FactBody {
  return { type: 'plan.step', turn, step, description, ...about };
}
