import type { Finding } from '../../../../agent/analysis/analyse-answer';
import type { BreakerSpec } from '../../../../agent/breakers/breaker-spec';
import type { ModelAnswer } from '../../../../agent/model/answer';
import { answerMessage } from '../../../../agent/plan/answer-message';
import { emptyAnswer } from '../../../../agent/prompts/answers';
import { onlyFailures, sameCallFails, withdraws } from '../../../../agent/prompts/breakers';
import { doTheWork, goOn, nothingChanged } from '../../../../agent/prompts/nudges';
import type { FactBody } from '../../../../agent/protocol/facts/fact';
import { type BreakerState, NO_BREAKERS } from '../../../../agent/state/breaker-state';
import type { AgentState } from '../../../../agent/state/state';
import { toolOf } from '../../selectors/calls';
import { append, type Reducers, type Step, userText } from '../append';
import { countBatch, countedCalls, longestFailing } from './count-batch';

/** Why an answer is not accepted, although nothing is wrong with its form. */
export type Nudge = Finding | { why: 'empty' };

/** Inputs about answers that make no progress. */
export type BreakerInput = { type: 'nudged'; answer: ModelAnswer; nudge: Nudge };

export const breakerReducers: Reducers<BreakerInput> = {
  nudged: (state, { answer, nudge }) => nudged(state, answer, nudge),
};

/** A person has said something: the counts begin again. */
export function withoutBreakers(state: AgentState): AgentState {
  const { breakers: _, ...rest } = state;
  return rest;
}

/** Adds the answer, and asks the model to go on. After a second empty answer in a row it has to conclude. */
function nudged(state: AgentState, answer: ModelAnswer, nudge: Nudge): Step {
  const { why } = nudge;
  const before = state.breakers ?? NO_BREAKERS;
  const number = before[why] + 1;
  const breakers: BreakerState = { ...before, empty: 0, [why]: number };
  const about = { turn: state.turn };
  const next: AgentState = { ...state, breakers, lifecycle: 'output_error_feedback' };
  const said = answerMessage(answer, state.turn);
  if (why === 'empty' && number > 1) {
    const stopped: AgentState = { ...next, breakers: { ...breakers, stop: 'silent' } };
    return append(stopped, [said], [{ type: 'breaker.stopped', ...about, why: 'silent' }]);
  }
  return append(
    next,
    [said, userText(NUDGES[why](), state.turn)],
    [{ type: 'answer.nudged', ...about, number, ...nudge }],
  );
}

const NUDGES: { readonly [Why in Nudge['why']]: () => string } = {
  empty: emptyAnswer,
  incomplete: goOn,
  deflecting: doTheWork,
  unchanged: nothingChanged,
};

/** What follows from a batch that has settled: the counts, notes for the model, and facts. */
export interface AfterBatch {
  breakers?: BreakerState;
  notes: string[];
  facts: FactBody[];
}

/** Counts the calls of the batch, and stops a model that makes no progress. */
export function breakAfterBatch(state: AgentState): AfterBatch {
  const spec = state.manifest?.breakers;
  if (spec === undefined || state.batch.length === 0) return { notes: [], facts: [] };
  const before = state.breakers ?? NO_BREAKERS;
  const calls = countedCalls(state);
  const after: AfterBatch & { breakers: BreakerState } = {
    breakers: countBatch(before, calls, spec),
    notes: [],
    facts: skippedCalls(state),
  };
  noteFailing(after, state, longestFailing(before.failing, calls), spec);
  if (after.breakers.blockedRounds >= BLOCKED_ROUNDS) stop(after, state);
  noteWithdrawn(after, state, spec);
  // A model that has to conclude needs no names.
  if (after.breakers.stop === undefined) noteFailedRounds(after, state, spec);
  return after;
}

type Counted = AfterBatch & { breakers: BreakerState };

/** Answers in a row of which no call ran: the model was told after the first. */
const BLOCKED_ROUNDS = 2;

function skippedCalls({ batch, turn }: AgentState): FactBody[] {
  return batch.flatMap(({ toolUseId, name, ...call }) =>
    call.status === 'rejected' && call.problem.type === 'RepeatedCall'
      ? [{ type: 'breaker.skipped', turn, toolUseId, name }]
      : [],
  );
}

/** The model is told once. When a call then fails as often again, or goes on to fail, the model has to conclude. */
function noteFailing(
  after: Counted,
  state: AgentState,
  { name, times }: { name: string; times: number },
  { identicalFailures }: BreakerSpec,
): void {
  if (times < identicalFailures) return;
  if (after.breakers.told) {
    stop(after, state);
    return;
  }
  after.breakers = { ...after.breakers, told: true };
  after.notes.push(sameCallFails(modelName(state, name), times));
  after.facts.push({ type: 'breaker.failing', turn: state.turn, name, times });
}

function noteWithdrawn(after: Counted, state: AgentState, { toolFailures }: BreakerSpec): void {
  if (toolFailures === undefined) return;
  const { failures, withdrawn } = after.breakers;
  for (const [name, times] of Object.entries(failures)) {
    if (times < toolFailures || withdrawn.includes(name)) continue;
    after.breakers = { ...after.breakers, withdrawn: [...after.breakers.withdrawn, name] };
    after.notes.push(withdraws(modelName(state, name), times));
    after.facts.push({ type: 'breaker.withdrawn', turn: state.turn, name, times });
  }
}

/** Names of tools that are told to the model. */
const MAX_NAMED = 20;

function noteFailedRounds(after: Counted, state: AgentState, { failedRounds }: BreakerSpec): void {
  const { failedRounds: rounds, withdrawn } = after.breakers;
  if (failedRounds === undefined || rounds === 0 || rounds % failedRounds !== 0) return;
  const left = state.manifest?.tools.filter(({ name }) => !withdrawn.includes(name)) ?? [];
  after.notes.push(onlyFailures(left.slice(0, MAX_NAMED).map((tool) => tool.modelName)));
  after.facts.push({ type: 'breaker.hinted', turn: state.turn, rounds });
}

function stop(after: Counted, { turn }: AgentState): void {
  if (after.breakers.stop !== undefined) return;
  after.breakers = { ...after.breakers, stop: 'repeating' };
  after.facts.push({ type: 'breaker.stopped', turn, why: 'repeating' });
}

function modelName(state: AgentState, name: string): string {
  return toolOf(state, name)?.modelName ?? name;
}
