import { addUsage, type ModelAnswer } from '../../agent/model/answer';
import type { Memory } from '../../agent/model/context-window';
import type { Message } from '../../agent/model/message';
import type { Lifecycle, MeasuredCall, ModelCallRemains, PrefixRef } from '../../agent/protocol/activities';
import type { FactBody } from '../../agent/protocol/fact';
import type { AgentState } from '../../agent/state/state';
import type { Json } from '../../agent/values/json';
import { appended, concludeMessage, loopEnd, type Step, said, userText } from './append';
import { exchangeEnded, late, unread } from './conversation';
import { modelInUse } from './model-chain';
import { rejected } from './output-attempts';
import { measured } from './trimming';

type Failure = { type: string; message: string };

/** What happens in a call of the model, and to the answer. */
export type ModelInput =
  | { type: 'calling'; conclude: boolean }
  | { type: 'sent'; transcript: PrefixRef }
  | { type: 'answered'; answer: ModelAnswer }
  | ({ type: 'measured' } & MeasuredCall)
  | { type: 'tooLong'; remains: ModelCallRemains & { memory: Memory } }
  | { type: 'noCall'; answer: ModelAnswer; reminder: string }
  | { type: 'outputRejected'; answer: ModelAnswer; error: string }
  | { type: 'unchecked'; answer: ModelAnswer }
  | { type: 'completed'; data: Json; text: string }
  | { type: 'waiting'; error: Failure; at: number; nextAt: number; remains?: ModelCallRemains }
  | { type: 'resumed' }
  | { type: 'retried'; by?: string }
  | { type: 'unanswered' }
  | { type: 'cut'; remains: ModelCallRemains }
  | { type: 'switched'; error: Failure; remains?: ModelCallRemains }
  | { type: 'fellBack'; error: Failure; remains?: ModelCallRemains };

/** The run after something happened in a call of the model. Pure, a part of `step`. */
export function stepModel(state: AgentState, input: ModelInput): Step {
  switch (input.type) {
    case 'calling':
      return calling(state, input.conclude);
    case 'sent':
      return { state: { ...state, sent: input.transcript }, facts: [] };
    case 'answered':
      return answered(withoutOutage(state), input.answer);
    case 'waiting':
      return waiting(state, input);
    case 'resumed':
      return { state: asking(state), facts: [] };
    case 'retried': {
      const { by } = input;
      const about = { turn: state.turn, model: modelInUse(state), ...(by === undefined ? {} : { by }) };
      return { state: asking(state), facts: [{ type: 'model.retried', ...about }] };
    }
    case 'unanswered':
      return { state: uncounted(withoutOutage(state)), facts: [] };
    case 'measured':
      return measured(state, input);
    case 'tooLong': {
      // Of most refusals nothing is to be counted.
      const paid = input.remains.usage.prompt > 0 ? counted(state, input.remains) : { state, facts: [] };
      return { state: { ...paid.state, memory: input.remains.memory }, facts: paid.facts };
    }
    case 'outputRejected':
      return corrected(rejected(state, input.error), input.answer, input.error, {
        type: 'output.rejected',
        turn: state.turn,
        error: input.error,
      });
    case 'noCall':
      return corrected(state, input.answer, input.reminder, { type: 'tool.none', turn: state.turn });
    case 'unchecked':
      return appended(state, [said(state, input.answer)]);
    case 'completed':
      return completed(state, input.data, input.text);
    case 'cut':
      return cut(state, input.remains);
    case 'switched':
      return switched(withoutOutage(state), input.error, input.remains);
    case 'fellBack':
      return fellBack(withoutOutage(state), input.error, input.remains);
  }
}

/** An answer that will not do, and what the model reads of that. */
function corrected(state: AgentState, answer: ModelAnswer, feedback: string, fact: FactBody): Step {
  const messages = [said(state, answer), userText(feedback, state.turn)];
  return appended({ ...state, lifecycle: 'output_error_feedback' }, messages, [fact]);
}

function calling(state: AgentState, conclude: boolean): Step {
  const { max } = state.toolInteractions;
  // Whoever steers wants more than was asked for at first.
  const current = state.steers.length > 0 ? 0 : state.toolInteractions.current;
  const turn = state.turn + 1;
  const lifecycle: Lifecycle = state.steers.length > 0 ? 'message' : state.lifecycle;
  const { rejected: before, ...rest } = state;
  const attempts = before === undefined || state.steers.length > 0 ? {} : { rejected: before };
  const read = { ...rest, ...attempts, notes: [], steers: [], lifecycle, turn };
  const next: AgentState = conclude
    ? { ...read, concluding: true }
    : { ...read, concluding: false, toolInteractions: { current: current + 1, max } };
  const iteration: FactBody = {
    type: 'loop.iteration',
    turn,
    lifecycle,
    ...(conclude ? { last: true } : {}),
  };
  return appended(next, [...unread(state), ...(conclude ? [concludeMessage(max, state.turn)] : [])], [iteration]);
}

function answered(
  state: AgentState,
  { usage, executionUnits, model }: Pick<ModelAnswer, 'usage' | 'executionUnits' | 'model'>,
): Step {
  return {
    state: {
      ...state,
      usage: addUsage(state.usage, usage),
      executionUnits: state.executionUnits + executionUnits,
    },
    facts: [{ type: 'usage', turn: state.turn, model, usage, executionUnits }],
  };
}

/** The model is to be asked again later. What had arrived of its answer stays out of the transcript. */
function waiting(state: AgentState, { error, at, nextAt, remains }: Extract<ModelInput, { type: 'waiting' }>): Step {
  const paid = counted(state, remains);
  const { since, failures: before } = state.outage ?? { since: at, failures: 0 };
  const failures = before + 1;
  const { turn } = state;
  const fact: FactBody = { type: 'model.waiting', turn, model: modelInUse(state), error, attempt: failures, nextAt };
  return { state: { ...paid.state, outage: { since, failures, error, nextAt } }, facts: [...paid.facts, fact] };
}

/** The wait is over, the outage perhaps not. */
function asking(state: AgentState): AgentState {
  const { nextAt: _, ...outage } = state.outage ?? { since: 0, failures: 0, error: { type: '', message: '' } };
  return state.outage === undefined ? state : { ...state, outage };
}

function withoutOutage({ outage: _, ...state }: AgentState): AgentState {
  return state;
}

/** A call that gave no answer is no turn and no interaction. */
function uncounted(state: AgentState): AgentState {
  const { turn, concluding, toolInteractions } = state;
  const { current, max } = toolInteractions;
  const given = concluding ? toolInteractions : { current: Math.max(0, current - 1), max };
  return { ...state, turn: turn - 1, toolInteractions: given };
}

/** A failed call has cost something all the same. */
function counted(state: AgentState, remains: ModelCallRemains | undefined): Step {
  if (remains === undefined) return { state, facts: [] };
  const { usage, executionUnits } = remains;
  return answered(state, { usage, executionUnits, model: modelInUse(state) });
}

/** The next model starts over: the text of the one that failed stays out of the transcript. */
function switched(state: AgentState, error: Failure, remains?: ModelCallRemains): Step {
  const paid = counted(state, remains);
  const next: AgentState = { ...paid.state, model: state.model + 1 };
  const fact: FactBody = {
    type: 'model.switched',
    turn: state.turn,
    from: modelInUse(state),
    to: modelInUse(next),
    error,
  };
  return { state: next, facts: [...paid.facts, fact] };
}

function fellBack(state: AgentState, error: Failure, remains?: ModelCallRemains): Step {
  const paid = counted(state, remains);
  const data = state.manifest?.fallbackAnswer ?? null;
  const done = completed(paid.state, data, typeof data === 'string' ? data : JSON.stringify(data));
  return {
    state: done.state,
    facts: [...paid.facts, { type: 'model.fallback', turn: state.turn, error }, ...done.facts],
  };
}

function completed(state: AgentState, data: Json, text: string): Step {
  const message: Message = { role: 'assistant', parts: [{ type: 'text', text }], turn: state.turn };
  const done = appended(state, [message]);
  if (state.manifest?.mode === 'conversation') {
    const ended = exchangeEnded(done.state, { reason: 'completed', data });
    return { state: ended.state, facts: [...done.facts, ...ended.facts] };
  }
  const read = late(done.state);
  const end: AgentState = { ...read.state, end: { reason: 'completed', data } };
  return { state: end, facts: [...done.facts, ...read.facts, loopEnd(end)] };
}

function cut(state: AgentState, remains: ModelCallRemains): Step {
  const { parts } = remains;
  const paid = counted(state, remains);
  if (parts.length === 0) return paid;
  const message: Message = { role: 'assistant', parts, turn: state.turn, partial: true };
  const { state: next, facts } = appended(paid.state, [message]);
  return { state: next, facts: [...paid.facts, ...facts] };
}
