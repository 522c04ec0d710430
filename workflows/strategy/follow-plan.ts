import type { ModelAnswer } from '../../agent/model/answer';
import { textOf } from '../../agent/model/message';
import { planCalls } from '../../agent/plan/plan-calls';
import type { CallModelResult } from '../../agent/protocol/calls/model-call';
import { decidesSince, SINCE } from '../../agent/protocol/decisions';
import type { AgentState } from '../../agent/state/state';
import { nextMove, type PlanMove } from '../../agent/strategy/next-move';
import { planTool } from '../../agent/strategy/offered-tools';
import { callsOfSteps, onceCalls, pickedBy } from '../../agent/strategy/picked-call';
import { readPlan } from '../../agent/strategy/read-plan';
import { stepsThat } from '../../agent/strategy/ready-steps';
import { STEP_TOOLS, toolsForStep } from '../../agent/strategy/tools-for-step';
import { moveOnIfDue } from '../run/carry/move-on';
import type { Run } from '../run/run';
import { freeOf } from '../state/selectors/budget';
import { hasCalled } from '../state/selectors/in-exchange';
import type { Verdict } from '../turn/verdict';
import { askFor, type NoAnswer } from './ask-for';

const AGAIN: Verdict = { to: 'gate' };

/** What the single loop would do next, or what the strategy of the agent does instead. */
export function byStrategy(state: AgentState, verdict: Verdict): Verdict {
  if (verdict.to !== 'think' || state.manifest?.strategy === undefined) return verdict;
  const move = nextMove(state, { called: hasCalled(state), conclude: verdict.conclude });
  return move === undefined ? verdict : { to: 'strategy', move };
}

/** Makes one move of a plan: one model call at most, so that each has its turn, its budget and its gate. */
export async function followPlan(run: Run, move: PlanMove): Promise<Verdict> {
  switch (move.type) {
    case 'plan':
      await moveOnIfDue(run);
      return makePlan(run);
    case 'pick':
      // Picked calls are made in the history in which they were picked.
      if (stepsThat(run.state.plan?.steps ?? [], 'picked').length === 0) await moveOnIfDue(run);
      return pick(run, move);
    case 'call':
      return call(run, move);
    case 'synthesise':
      await moveOnIfDue(run);
      return synthesise(run);
    case 'fallBack':
      run.apply({ ...move, type: 'planGivenUp' });
      return AGAIN;
  }
}

async function makePlan(run: Run): Promise<Verdict> {
  const asked = await askFor(run, { for: 'planner' });
  if ('problem' in asked) return unanswered(run, 'planner', asked);
  const { answer } = asked;
  const read = readPlan(textOf(answer));
  switch (read.type) {
    case 'unreadable':
      return giveUp(run, { why: 'unreadable', problem: read.problem });
    case 'direct':
      run.apply({ type: 'planDirect' });
      return { to: 'finish', answer: saying(answer, read.response), isPlanned: true };
    case 'plan': {
      const { steps } = read;
      const { manifest } = run.state;
      const tool = manifest && planTool(manifest);
      const request = answer.toolRequests.find(({ name }) => name === tool?.modelName);
      const approving = manifest !== undefined && tool !== undefined && request !== undefined;
      run.apply({ type: 'planMade', steps, approving });
      return approving
        ? { to: 'act', answer: silent(answer), plan: planCalls([request], { ...run.state, manifest }) }
        : AGAIN;
    }
  }
}

async function pick(run: Run, { step }: Extract<PlanMove, { type: 'pick' }>): Promise<Verdict> {
  const { manifest, plan } = run.state;
  const { withdrawn = [] } = run.state.breakers ?? {};
  const tools = (manifest?.tools ?? []).filter(({ name }) => !withdrawn.includes(name));
  const offered = toolsForStep(step, tools, manifest?.strategy?.stepTools ?? STEP_TOOLS);
  const { step: number, description, hints, problem } = step;
  const asked = await askFor(run, {
    for: 'router',
    step: { step: number, description, ...(hints === undefined ? {} : { hints }) },
    of: plan?.steps.length ?? 0,
    tools: offered.map(({ name }) => name),
    ...(problem === undefined ? {} : { problem }),
  });
  if ('problem' in asked) return unanswered(run, 'step', { ...asked, problem: `step ${number}: ${asked.problem}` });
  const taken = decidesSince(run.state, SINCE.plansOnce) ? onceCalls(plan?.steps ?? [], tools) : [];
  const picked = pickedBy(asked.answer, { ...run.state, manifest: { tools: offered } }, taken);
  if ('request' in picked) run.apply({ type: 'stepPicked', step: number, request: picked.request });
  else run.apply({ type: 'stepUnpicked', step: number, problem: picked.problem });
  return AGAIN;
}

/** The calls have the turn of their routers in their ids, as the rules of their tools saw them. */
function call(run: Run, { steps }: Extract<PlanMove, { type: 'call' }>): Verdict {
  const { state } = run;
  const calls = callsOfSteps(steps, { ...state, toolCallsLeft: freeOf(state, 0).toolCalls });
  run.apply({
    type: 'stepsCalled',
    calls: calls.map(({ step, call: { toolUseId, name } }) => ({ step, toolUseId, name })),
  });
  return { to: 'act', answer: NO_ANSWER, plan: { calls: calls.map(({ call: planned }) => planned), dropped: [] } };
}

async function synthesise(run: Run): Promise<Verdict> {
  const failed = stepsThat(run.state.plan?.steps ?? [], 'failed').map(({ step, problem }) => ({ step, problem }));
  const asked = await askFor(run, { for: 'synthesis', ...(failed.length === 0 ? {} : { failed }) });
  if ('problem' in asked) return unanswered(run, 'synthesis', asked);
  const { answer } = asked;
  if (textOf(answer).trim() === '') return giveUp(run, { why: 'synthesis', problem: 'the answer is empty' });
  run.apply({ type: 'planAnswered' });
  return { to: 'finish', answer: { ...answer, toolRequests: [] }, isPlanned: true };
}

function unanswered(run: Run, why: 'planner' | 'step' | 'synthesis', { problem, isLimit }: NoAnswer): Verdict {
  return giveUp(run, { why: isLimit ? 'limit' : why, problem });
}

function giveUp(run: Run, why: Omit<Extract<PlanMove, { type: 'fallBack' }>, 'type'>): Verdict {
  run.apply({ type: 'planGivenUp', ...why });
  return AGAIN;
}

/** The answer of a planner as the answer for the user. What its provider attached belongs to the JSON that it wrote. */
function saying({ providerData: _, ...answer }: ModelAnswer, text: string): ModelAnswer {
  return { ...answer, type: 'text', parts: [{ type: 'text', text }], toolRequests: [] };
}

/** The message with the call that shows a plan has no other text. */
function silent({ providerData: _, ...answer }: CallModelResult): CallModelResult {
  return { ...answer, parts: [] };
}

/** The calls of several routers are one message, which none of them has written. */
const NO_ANSWER: CallModelResult = {
  type: 'tool_call',
  parts: [],
  toolRequests: [],
  finishReason: 'tool_calls',
  model: '',
  usage: { prompt: 0, completion: 0 },
  executionUnits: 0,
};
