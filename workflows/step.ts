import type {
  BuildContextResult,
  DescribeAgentResult,
  Lifecycle,
  MeasuredCall,
  ModelCallRemains,
  PrefixRef,
  ToolOutcome,
} from '../agent/activities';
import type { EndReason, FactBody } from '../agent/fact';
import type { Json } from '../agent/json';
import type { Message } from '../agent/message';
import { addUsage, type ModelAnswer } from '../agent/model-answer';
import type { AgentState, RunInput } from '../agent/state';
import type { Memory } from '../agent/talk';
import { appended, batchMessages, concludeMessage, type Step, userText } from './append';
import { begun } from './begin';
import { callHash, decide } from './decide';
import { measured } from './memory';
import { modelInUse } from './model-chain';
import { type QuestionInput, stepQuestion } from './step-questions';
import { exchangeEnded, stepTalk, type TalkInput, unread } from './step-talk';
import { stepUndo, type UndoInput } from './step-undo';
import { inputOf, stepWait, type WaitInput } from './step-waits';
import { withEffect } from './undoable';

/** What happens to a run. */
export type StepInput =
  | WaitInput
  | TalkInput
  | UndoInput
  | QuestionInput
  | { type: 'started'; given: RunInput }
  | { type: 'described'; result: DescribeAgentResult }
  | { type: 'contextBuilt'; result: BuildContextResult }
  | { type: 'calling'; conclude: boolean }
  | { type: 'sent'; transcript: PrefixRef }
  | { type: 'answered'; answer: ModelAnswer }
  | ({ type: 'measured' } & MeasuredCall)
  | { type: 'tooLong'; remains: ModelCallRemains & { memory: Memory } }
  | { type: 'acting'; answer: ModelAnswer }
  | { type: 'settled'; toolUseId: string; outcome: ToolOutcome }
  | { type: 'batchSettled' }
  | { type: 'noCall'; answer: ModelAnswer; reminder: string }
  | { type: 'outputRejected'; answer: ModelAnswer; error: string }
  | { type: 'unchecked'; answer: ModelAnswer }
  | { type: 'completed'; data: Json; text: string }
  | { type: 'cut'; remains: ModelCallRemains }
  | { type: 'switched'; error: { type: string; message: string }; remains?: ModelCallRemains }
  | { type: 'fellBack'; error: { type: string; message: string }; remains?: ModelCallRemains }
  | { type: 'ended'; reason: EndReason; data?: Json; error?: { type: string; message: string } };

/** The run after `input`, and what is worth telling about it. Pure: the whole life of a run is a fold of this. */
export function step(state: AgentState, input: StepInput): Step {
  switch (input.type) {
    case 'started': {
      return { state: { ...state, ...begun(input.given) }, facts: [] };
    }
    case 'described':
      return described(state, input.result);
    case 'contextBuilt': {
      const { context, hash, messages } = input.result;
      const pin = { manifest: state.pin?.manifest ?? '', context: hash };
      return appended({ ...state, context, pin, ...opening(state, messages) }, messages, [
        { type: 'loop.start', agent: state.agent },
      ]);
    }
    case 'calling':
      return calling(state, input.conclude);
    case 'sent':
      return { state: { ...state, sent: input.transcript }, facts: [] };
    case 'answered':
      return answered(state, input.answer);
    case 'measured':
      return measured(state, input);
    case 'tooLong': {
      // Of most refusals nothing is to be counted.
      const paid = input.remains.usage.prompt > 0 ? counted(state, input.remains) : { state, facts: [] };
      return { state: { ...paid.state, memory: input.remains.memory }, facts: paid.facts };
    }
    case 'acting':
      return acting(state, input.answer);
    case 'settled':
      return settled(state, input.toolUseId, input.outcome);
    case 'batchSettled': {
      const messages = batchMessages(state);
      return appended({ ...state, awaiting: [], lifecycle: 'tool_result' }, messages);
    }
    case 'outputRejected': {
      const messages = [said(state, input.answer), userText(input.error, state.turn)];
      const rejected: FactBody = { type: 'output.rejected', turn: state.turn, error: input.error };
      return appended({ ...state, lifecycle: 'output_error_feedback' }, messages, [rejected]);
    }
    case 'noCall': {
      const messages = [said(state, input.answer), userText(input.reminder, state.turn)];
      return appended({ ...state, lifecycle: 'output_error_feedback' }, messages, [
        { type: 'tool.none', turn: state.turn },
      ]);
    }
    case 'unchecked':
      return appended(state, [said(state, input.answer)]);
    case 'completed':
      return completed(state, input.data, input.text);
    case 'cut':
      return cut(state, input.remains);
    case 'switched':
      return switched(state, input.error, input.remains);
    case 'fellBack':
      return fellBack(state, input.error, input.remains);
    case 'ended': {
      const { reason, error, data } = input;
      const end = { reason, ...(error === undefined ? {} : { error }), ...(data === undefined ? {} : { data }) };
      const ended = appended({ ...state, end, steers: [], notes: [] }, unread(state));
      return { state: ended.state, facts: [...ended.facts, loopEnd(ended.state)] };
    }
    case 'received':
    case 'steered':
    case 'exchangeBegun':
    case 'exchangeEnded':
    case 'withdrawn':
    case 'renamed':
    case 'closing':
      return stepTalk(state, input);
    case 'questionsAsked':
    case 'replied':
      return stepQuestion(state, input);
    case 'undoBegun':
    case 'undoLeft':
    case 'undone':
    case 'undoFailed':
      return stepUndo(state, input);
    default:
      return stepWait(state, input);
  }
}

function described(state: AgentState, { manifest, hash }: DescribeAgentResult): Step {
  const toolInteractions = { current: 0, max: manifest.limits.maxToolInteractions };
  return { state: { ...state, manifest, pin: { manifest: hash, context: '' }, toolInteractions }, facts: [] };
}

/** What opens the first exchange; a conversation may have to wait for it. */
function opening({ manifest }: AgentState, messages: readonly Message[]): Partial<AgentState> {
  const last = messages.length - 1;
  if (manifest?.mode !== 'conversation' || messages[last]?.role === 'user') return { opened: last };
  return { exchange: 0, idle: true };
}

function calling(state: AgentState, conclude: boolean): Step {
  const { max } = state.toolInteractions;
  // Whoever steers wants more than was asked for at first.
  const current = state.steers.length > 0 ? 0 : state.toolInteractions.current;
  const turn = state.turn + 1;
  const lifecycle: Lifecycle = state.steers.length > 0 ? 'message' : state.lifecycle;
  const read = { notes: [], steers: [], lifecycle };
  const next: AgentState = conclude
    ? { ...state, ...read, turn, concluding: true }
    : { ...state, ...read, turn, concluding: false, toolInteractions: { current: current + 1, max } };
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

function acting(state: AgentState, answer: ModelAnswer): Step {
  const decision = decide(state, answer);
  if (decision.type !== 'act') throw new Error('an answer without calls has nothing to act on');
  const { turn } = state;
  const toolTypeCounts = { ...state.toolTypeCounts };
  const facts: FactBody[] = [];
  for (const { toolUseId, name, input } of decision.calls) {
    toolTypeCounts[name] = (toolTypeCounts[name] ?? 0) + 1;
    facts.push({ type: 'tool.call', turn, toolUseId, name, input });
  }
  for (const call of decision.dropped) facts.push({ type: 'tool.dropped', turn, ...call });
  for (const { toolUseId, name, problem } of decision.calls) {
    if (problem !== undefined) facts.push({ type: 'tool.error', turn, toolUseId, name, error: problem });
  }
  const uses = decision.calls.map(({ problem: _, ...call }) => ({ type: 'tool_use' as const, ...call }));
  const message: Message = { ...said(state, answer), parts: [...answer.parts, ...uses] };
  const awaiting = decision.calls.map(({ providerId: _, ...call }) => call);
  const next = appended({ ...state, awaiting, toolTypeCounts }, [message]);
  return { state: next.state, facts: [...next.facts, ...facts] };
}

function settled(state: AgentState, toolUseId: string, outcome: ToolOutcome): Step {
  const call = state.awaiting.find((waiting) => waiting.toolUseId === toolUseId);
  if (call === undefined || call.outcome !== undefined || call.problem !== undefined) return { state, facts: [] };
  const { name } = call;
  // The whole result stays in history, in the event that bore it: carrying it on would double it.
  const { full, ...kept } = outcome;
  const awaiting = state.awaiting.map((other) => (other === call ? { ...call, outcome: kept } : other));
  const unknownOutcomes =
    outcome.error?.type === 'OutcomeUnknown'
      ? [...state.unknownOutcomes, { toolUseId, name, input: callHash(inputOf(call)) }]
      : state.unknownOutcomes;
  const { turn } = state;
  const fact: FactBody =
    outcome.error === undefined
      ? { type: 'tool.result', turn, toolUseId, name, content: outcome.content, ...(full ? { full: true } : {}) }
      : { type: 'tool.error', turn, toolUseId, name, error: outcome.error };
  const undoable = withEffect(state, call, outcome);
  return { state: { ...state, awaiting, unknownOutcomes, undoable }, facts: [fact] };
}

/** A failed call has cost something all the same. */
function counted(state: AgentState, remains: ModelCallRemains | undefined): Step {
  if (remains === undefined) return { state, facts: [] };
  const { usage, executionUnits } = remains;
  return answered(state, { usage, executionUnits, model: modelInUse(state) });
}

/** The next model starts over: the text of the one that failed stays out of the transcript. */
function switched(state: AgentState, error: { type: string; message: string }, remains?: ModelCallRemains): Step {
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

function fellBack(state: AgentState, error: { type: string; message: string }, remains?: ModelCallRemains): Step {
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
  const end: AgentState = { ...done.state, end: { reason: 'completed', data } };
  return { state: end, facts: [...done.facts, loopEnd(end)] };
}

function cut(state: AgentState, remains: ModelCallRemains): Step {
  const { parts } = remains;
  const paid = counted(state, remains);
  if (parts.length === 0) return paid;
  const message: Message = { role: 'assistant', parts, turn: state.turn, partial: true };
  const { state: next, facts } = appended(paid.state, [message]);
  return { state: next, facts: [...paid.facts, ...facts] };
}

function said(state: AgentState, { parts, providerData }: ModelAnswer): Message {
  return { role: 'assistant', parts, turn: state.turn, ...(providerData === undefined ? {} : { providerData }) };
}

function loopEnd({ end, turn, usage, executionUnits }: AgentState): FactBody {
  const error = end?.error;
  return {
    type: 'loop.end',
    reason: end?.reason ?? 'failed',
    turns: turn,
    usage,
    executionUnits,
    ...(error === undefined ? {} : { error: { type: error.type, message: error.message } }),
  };
}
