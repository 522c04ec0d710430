import type { ModelAnswer } from '../../../../agent/model/answer';
import type { Message, ReasoningPart } from '../../../../agent/model/message';
import type { OutputDowngrade } from '../../../../agent/model/structured-output';
import { answerMessage } from '../../../../agent/plan/answer-message';
import type { Lifecycle } from '../../../../agent/protocol/calls/lifecycle';
import type { PartialAnswer, PrefixRef } from '../../../../agent/protocol/calls/model-call';
import type { FactBody } from '../../../../agent/protocol/facts/fact';
import type { Conclusion } from '../../../../agent/state/conclusion';
import type { RunEnd } from '../../../../agent/state/phase';
import type { AgentState } from '../../../../agent/state/state';
import type { Purpose } from '../../../../agent/strategy/call-purpose';
import { defined } from '../../../../agent/values/defined';
import type { Json } from '../../../../agent/values/json';
import type { MissedCall } from '../../../turn/missed-call';
import { isConversation } from '../../selectors/mode';
import { modelInUse } from '../../selectors/model-in-use';
import { outageOf } from '../../selectors/phase';
import { append, concludeMessage, loopEnd, type Reducers, type Step, userText } from '../append';
import { exchangeEnded, late, unread } from '../conversation';
import { withoutBreakers } from '../progress/breakers';
import { countInvalidOutput } from '../progress/output-attempts';
import { remindedOnce } from '../progress/text-calls';
import { spent } from './spent';
import { useModel } from './use-model';

type Failure = { type: string; message: string };

/** Which model was called, and what for. Missing purpose: a turn of the single loop. */
type Called = { model: string; for?: Purpose };

/** Inputs about a model call and its answer. */
export type ModelInput =
  | { type: 'calling'; conclude?: Conclusion }
  /** `asked`: for a turn of the single loop. */
  | { type: 'sent'; transcript: PrefixRef; asked?: AgentState['asked'] }
  | { type: 'answered'; answer: ModelAnswer; for?: Purpose }
  | { type: 'downgraded'; model: string; downgrade: OutputDowngrade }
  | { type: 'noCall'; answer: ModelAnswer; missed: MissedCall }
  | { type: 'outputRejected'; answer: ModelAnswer; error: string }
  | { type: 'unchecked'; answer: ModelAnswer }
  /** `thoughts`: what the message of the answer has before its text. */
  | { type: 'completed'; data: Json; text: string; thoughts?: readonly ReasoningPart[] }
  /** The model has given no answer. A text of ours takes its place. */
  | { type: 'replaced'; data: Json; text: string }
  | { type: 'waiting'; error: Failure; at: number; nextAt: number; partial?: PartialAnswer }
  | { type: 'resumed' }
  | { type: 'retried'; by?: string }
  | { type: 'unanswered' }
  | ({ type: 'answerInterrupted'; partial: PartialAnswer } & Partial<Called>)
  | { type: 'switched'; error: Failure; partial?: PartialAnswer }
  | ({ type: 'chosen'; by?: string } & Omit<NonNullable<AgentState['chosen']>, 'at'>)
  | ({ type: 'spent'; partial?: PartialAnswer } & Called)
  | { type: 'fellBack'; error: Failure; partial?: PartialAnswer };

/** Reducers for model calls. */
export const modelReducers: Reducers<ModelInput> = {
  calling: (state, { conclude }) => calling(state, conclude),
  sent: (state, { transcript, asked }) => ({ state: { ...state, sent: transcript, ...defined({ asked }) }, facts: [] }),
  answered: (state, { answer, for: purpose }) => spent(withoutOutage(state), answer, defined({ for: purpose })),
  waiting,
  resumed: (state) => ({ state: asking(state), facts: [] }),
  retried: (state, { by }) => {
    const about = { turn: state.turn, model: modelInUse(state), ...defined({ by }) };
    const next = asking(state);
    const phase = next.phase.at === 'outage' ? { ...next.phase, asked: true as const } : next.phase;
    return { state: { ...next, phase }, facts: [{ type: 'model.retried', ...about }] };
  },
  unanswered: (state) => ({ state: unspent(withoutOutage(state)), facts: [] }),
  downgraded: (state, { model, downgrade }) => downgraded(state, model, downgrade),
  outputRejected: (state, { answer, error }) =>
    corrected(countInvalidOutput(state, error), answer, error, { type: 'output.rejected', turn: state.turn, error }),
  noCall: (state, { answer, missed }) =>
    missed.in === 'call'
      ? remindedOnce(state, answer, missed)
      : corrected(state, answer, missed.reminder, { type: 'tool.none', turn: state.turn }),
  unchecked: (state, { answer }) => append(state, [answerMessage(answer, state.turn)]),
  completed: (state, { data, text, thoughts }) => completed(state, data, text, thoughts),
  replaced: (state, { data, text }) => {
    const done = completed(state, data, text);
    return { state: done.state, facts: [{ type: 'answer.replaced', turn: state.turn, text }, ...done.facts] };
  },
  answerInterrupted: (state, { partial, model, for: purpose }) =>
    answerInterrupted(state, partial, defined({ model, for: purpose })),
  switched: (state, { error, partial }) => switched(withoutOutage(state), error, partial),
  chosen,
  spent: (state, { model, partial, for: purpose }) => spent(state, partial, { model, ...defined({ for: purpose }) }),
  fellBack: (state, { error, partial }) => fellBack(withoutOutage(state), error, partial),
};

/** The rest of the run asks the model for JSON in the way that its server accepts. */
function downgraded(state: AgentState, model: string, { from, to, why }: OutputDowngrade): Step {
  return {
    state: { ...state, downgrades: { ...state.downgrades, [model]: to } },
    facts: [{ type: 'model.downgraded', turn: state.turn, model, from, to, why }],
  };
}

/** Adds an answer that was not accepted, and the feedback for the model. */
function corrected(state: AgentState, answer: ModelAnswer, feedback: string, fact: FactBody): Step {
  const messages = [answerMessage(answer, state.turn), userText(feedback, state.turn)];
  return append({ ...state, lifecycle: 'output_error_feedback' }, messages, [fact]);
}

function calling(state: AgentState, conclude: Conclusion | undefined): Step {
  const { max } = state.toolInteractions;
  // A steering message asks for more than the first message did.
  const current = state.steers.length > 0 ? 0 : state.toolInteractions.current;
  const turn = state.turn + 1;
  const lifecycle: Lifecycle = state.steers.length > 0 ? 'message' : state.lifecycle;
  const steered = state.steers.length > 0;
  const { rejected: before, reminder, repeated, ...rest } = steered ? withoutBreakers(state) : state;
  const attempts = steered ? {} : defined({ rejected: before, repeated });
  // A conclusion has no calls to be reminded of.
  const reminded = reminder?.turn === turn && !conclude ? { reminder } : {};
  const read = { ...rest, ...attempts, ...reminded, notes: [], steers: [], lifecycle, turn };
  const next: AgentState = conclude
    ? { ...read, concluding: conclude }
    : { ...read, concluding: false, toolInteractions: { current: current + 1, max } };
  const iteration: FactBody = {
    type: 'loop.iteration',
    turn,
    lifecycle,
    ...(conclude ? { last: true } : {}),
  };
  return append(next, [...unread(state), ...(conclude ? [concludeMessage(state, conclude)] : [])], [iteration]);
}

/** The model is asked again later. The partial answer stays out of the transcript. */
function waiting(state: AgentState, { error, at, nextAt, partial }: Extract<ModelInput, { type: 'waiting' }>): Step {
  const paid = spent(state, partial);
  const { since, failures: before } = outageOf(state) ?? { since: at, failures: 0 };
  const failures = before + 1;
  const { turn } = state;
  const about = { model: modelInUse(state), error, attempt: failures, since, nextAt };
  const fact: FactBody = { type: 'model.waiting', turn, ...about };
  return {
    state: { ...paid.state, phase: { at: 'outage', since, failures, error, nextAt } },
    facts: [...paid.facts, fact],
  };
}

/** The wait is over, although the outage may continue. */
function asking(state: AgentState): AgentState {
  if (state.phase.at !== 'outage') return state;
  const { nextAt: _, ...phase } = state.phase;
  return { ...state, phase };
}

function withoutOutage(state: AgentState): AgentState {
  return state.phase.at === 'outage' ? { ...state, phase: { at: 'working' } } : state;
}

/** A call without an answer does not count as a turn or an interaction. */
function unspent(state: AgentState): AgentState {
  const { turn, concluding, toolInteractions } = state;
  const { current, max } = toolInteractions;
  const given = concluding ? toolInteractions : { current: Math.max(0, current - 1), max };
  return { ...state, turn: turn - 1, toolInteractions: given };
}

/** The next model starts over. The text of the failed one stays out of the transcript. */
function switched(state: AgentState, error: Failure, partial?: PartialAnswer): Step {
  const paid = spent(state, partial);
  const next = useModel(paid.state, { model: state.model + 1 });
  const fact: FactBody = {
    type: 'model.switched',
    turn: state.turn,
    from: modelInUse(state),
    to: modelInUse(next),
    why: 'failed',
    error,
  };
  return { state: next, facts: [...paid.facts, fact] };
}

/**
 * A model of the chain goes on with those behind it; another one takes the place of the model in use. For a model that is
 * in use already, only the choice is kept.
 */
function chosen(
  state: AgentState,
  { alias, patience, prices, forcesCall, by }: Extract<ModelInput, { type: 'chosen' }>,
): Step {
  const { turn, model, manifest } = state;
  const from = modelInUse(state);
  const place = from === alias ? -1 : (manifest?.models.indexOf(alias) ?? -1);
  const at = place < 0 ? model : place;
  const next = useModel(state, { model: at, chosen: { alias, at, ...defined({ patience, prices, forcesCall }) } });
  if (from === alias) return { state: next, facts: [] };
  const fact: FactBody = { type: 'model.switched', turn, from, to: alias, why: 'chosen', ...defined({ by }) };
  return { state: withoutOutage(next), facts: [fact] };
}

function fellBack(state: AgentState, error: Failure, partial?: PartialAnswer): Step {
  const paid = spent(state, partial);
  const data = state.manifest?.fallbackAnswer ?? null;
  const done = completed(paid.state, data, typeof data === 'string' ? data : JSON.stringify(data));
  return {
    state: done.state,
    facts: [...paid.facts, { type: 'model.fallback', turn: state.turn, error }, ...done.facts],
  };
}

function completed(state: AgentState, data: Json, text: string, thoughts: readonly ReasoningPart[] = []): Step {
  const message: Message = { role: 'assistant', parts: [...thoughts, { type: 'text', text }], turn: state.turn };
  const done = append(state, [message]);
  if (isConversation(state)) {
    const ended = exchangeEnded(done.state, { reason: 'completed', data });
    return { state: ended.state, facts: [...done.facts, ...ended.facts] };
  }
  const read = late(done.state);
  const end: RunEnd = { reason: 'completed', data };
  const next: AgentState = { ...read.state, phase: { at: 'ended', ...end } };
  return { state: next, facts: [...done.facts, ...read.facts, loopEnd(next, end)] };
}

function answerInterrupted(state: AgentState, partial: PartialAnswer, called: Partial<Called>): Step {
  const { parts } = partial;
  const paid = spent(state, partial, called);
  if (parts.length === 0) return paid;
  const message: Message = { role: 'assistant', parts, turn: state.turn, partial: true };
  const { state: next, facts } = append(paid.state, [message]);
  return { state: next, facts: [...paid.facts, ...facts] };
}
