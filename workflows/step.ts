import type {
  BuildContextResult,
  DescribeAgentResult,
  ModelCallRemains,
  PrefixRef,
  ToolOutcome,
} from '../agent/activities';
import type { FactBody } from '../agent/fact';
import type { Json } from '../agent/json';
import type { Message } from '../agent/message';
import { addUsage, type ModelAnswer } from '../agent/model-answer';
import type { AgentState, RunInput } from '../agent/state';
import { appended, batchMessages, concludeMessage, type Step, userText } from './append';
import { begun } from './begin';
import { callHash, decide } from './decide';
import { modelInUse } from './model-chain';
import { inputOf, stepWait, type WaitInput } from './step-waits';

/** What happens to a run. */
export type StepInput =
  | WaitInput
  | { type: 'started'; given: RunInput }
  | { type: 'described'; result: DescribeAgentResult }
  | { type: 'contextBuilt'; result: BuildContextResult }
  | { type: 'calling'; conclude: boolean }
  | { type: 'sent'; transcript: PrefixRef }
  | { type: 'answered'; answer: ModelAnswer }
  | { type: 'acting'; answer: ModelAnswer }
  | { type: 'settled'; toolUseId: string; outcome: ToolOutcome }
  | { type: 'batchSettled' }
  | { type: 'outputRejected'; answer: ModelAnswer; error: string }
  | { type: 'unchecked'; answer: ModelAnswer }
  | { type: 'completed'; data: Json; text: string }
  | { type: 'cut'; remains: ModelCallRemains }
  | { type: 'switched'; error: { type: string; message: string }; remains?: ModelCallRemains }
  | { type: 'fellBack'; error: { type: string; message: string }; remains?: ModelCallRemains }
  | { type: 'ended'; reason: 'failed' | 'cancelled'; error?: { type: string; message: string } };

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
      return appended({ ...state, context, pin }, messages, [{ type: 'loop.start', agent: state.agent }]);
    }
    case 'calling':
      return calling(state, input.conclude);
    case 'sent':
      return { state: { ...state, sent: input.transcript }, facts: [] };
    case 'answered':
      return answered(state, input.answer);
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
      const { reason, error } = input;
      const ended: AgentState = { ...state, end: { reason, ...(error === undefined ? {} : { error }) } };
      return { state: ended, facts: [loopEnd(ended)] };
    }
    default:
      return stepWait(state, input);
  }
}

function described(state: AgentState, { manifest, hash }: DescribeAgentResult): Step {
  const toolInteractions = { current: 0, max: manifest.limits.maxToolInteractions };
  return { state: { ...state, manifest, pin: { manifest: hash, context: '' }, toolInteractions }, facts: [] };
}

function calling(state: AgentState, conclude: boolean): Step {
  const { current, max } = state.toolInteractions;
  const turn = state.turn + 1;
  const next: AgentState = conclude
    ? { ...state, turn, concluding: true }
    : { ...state, turn, toolInteractions: { current: current + 1, max } };
  const iteration: FactBody = {
    type: 'loop.iteration',
    turn,
    lifecycle: state.lifecycle,
    ...(conclude ? { last: true } : {}),
  };
  return appended(next, conclude ? [concludeMessage(max, state.turn)] : [], [iteration]);
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
  return { state: { ...state, awaiting, unknownOutcomes }, facts: [fact] };
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
  const done = appended({ ...state, end: { reason: 'completed', data } }, [message]);
  return { state: done.state, facts: [...done.facts, loopEnd(done.state)] };
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
