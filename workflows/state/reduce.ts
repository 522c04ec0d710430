import type { Message } from '../../agent/model/message';
import type { BuildContextResult, DescribeAgentResult } from '../../agent/protocol/activities';
import type { EndReason, FactBody } from '../../agent/protocol/facts/fact';
import type { RunInput } from '../../agent/protocol/run';
import type { RunEnd } from '../../agent/state/phase';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import type { Json } from '../../agent/values/json';
import { withInput } from './first-state';
import { append, loopEnd, type Reducers, type Step } from './reducers/append';
import { type BudgetInput, budgetReducers } from './reducers/budget';
import { type CallInput, callReducers } from './reducers/calls';
import { type ContextInput, contextReducers } from './reducers/context';
import { type ConversationInput, conversationReducers, unanswered, unread } from './reducers/conversation';
import { type ModelInput, modelReducers } from './reducers/model/model';
import { type PlanInput, planReducers } from './reducers/plan';
import { type BreakerInput, breakerReducers } from './reducers/progress/breakers';
import { type QuestionInput, questionReducers } from './reducers/questions';
import { type ToolFilterInput, toolFilterReducers } from './reducers/tool-filter';
import { type UndoInput, undoReducers } from './reducers/undo';
import { type WaitInput, waitReducers } from './reducers/waits';

/** Inputs about the run as a whole. */
type RunStep =
  | { type: 'started'; given: RunInput; lineage?: string }
  | { type: 'described'; result: DescribeAgentResult }
  | { type: 'contextBuilt'; result: BuildContextResult }
  /** It goes on in a new history, and has read again what it had pinned. */
  | { type: 'continued'; fields: Partial<AgentState> & Pick<AgentState, 'phase'> }
  /** Too much of the transcript is sent to be carried on. */
  | { type: 'outgrown'; from: number }
  /** The state that counts the fact is passed on. */
  | { type: 'passingOn'; fact: FactBody }
  | { type: 'ended'; reason: EndReason; data?: Json; error?: { type: string; message: string } };

/** All inputs that change a run. */
export type StepInput =
  | RunStep
  | BreakerInput
  | BudgetInput
  | ModelInput
  | CallInput
  | WaitInput
  | QuestionInput
  | ConversationInput
  | ContextInput
  | PlanInput
  | UndoInput
  | ToolFilterInput;

/** The run after `input`, and the facts about the change. Pure: the whole life of a run is a fold of this. */
export function step(state: AgentState, input: StepInput): Step {
  const reduce: (state: AgentState, input: never) => Step = REDUCERS[input.type];
  return reduce(state, input as never);
}

const runReducers: Reducers<RunStep> = {
  started: (state, { given, lineage }) => ({ state: { ...state, ...withInput(given, lineage) }, facts: [] }),
  described: (state, { result }) => described(state, result),
  contextBuilt: (state, { result }) => contextBuilt(state, result),
  continued: (state, { fields }) => ({ state: { ...state, ...fields }, facts: [] }),
  outgrown: (state, { from }) => ({
    state: { ...state, trimming: { ...state.trimming, from } },
    facts: [{ type: 'context.trimmed', turn: state.turn, from }],
  }),
  passingOn: (state, { fact }) => ({ state, facts: [fact] }),
  ended,
};

/** One reducer for each input, in the slice that it is about. */
const REDUCERS: Reducers<StepInput> = {
  ...runReducers,
  ...breakerReducers,
  ...budgetReducers,
  ...modelReducers,
  ...contextReducers,
  ...planReducers,
  ...callReducers,
  ...waitReducers,
  ...questionReducers,
  ...conversationReducers,
  ...undoReducers,
  ...toolFilterReducers,
};

function described(state: AgentState, { manifest, hash }: DescribeAgentResult): Step {
  const toolInteractions = { current: 0, max: manifest.limits.maxToolInteractions };
  return { state: { ...state, manifest, pin: { manifest: hash, context: '' }, toolInteractions }, facts: [] };
}

function contextBuilt(state: AgentState, { context, hash, messages }: BuildContextResult): Step {
  const pin = { manifest: state.pin?.manifest ?? '', context: hash };
  const next: AgentState = { ...state, context, pin, ...opening(state, messages) };
  const facts: FactBody[] = [{ type: 'loop.start', agent: state.agent }];
  if (state.manifest?.mode === 'conversation' && next.phase.at !== 'idle') facts.push({ type: 'exchange.start' });
  return append(next, messages, facts);
}

/** What opens the first exchange; a conversation may have to wait for it. */
function opening({ manifest }: AgentState, messages: readonly Message[]): Partial<AgentState> {
  const last = messages.length - 1;
  if (manifest?.mode !== 'conversation' || messages[last]?.role === 'user') {
    return { opened: last, phase: { at: 'working' } };
  }
  return { exchange: 0, phase: { at: 'idle' } };
}

function ended(state: AgentState, { reason, error, data }: Extract<RunStep, { type: 'ended' }>): Step {
  const end: RunEnd = { reason, ...defined({ error, data }) };
  const read: AgentState = { ...state, phase: { at: 'ended', ...end }, steers: [], notes: [], inbox: [] };
  const last = append(read, [...unread(state), ...unanswered(state)]);
  return { state: last.state, facts: [...last.facts, loopEnd(last.state, end)] };
}
