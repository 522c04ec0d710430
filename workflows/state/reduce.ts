import type { Message } from '../../agent/model/message';
import type { BuildContextResult, DescribeAgentResult } from '../../agent/protocol/activities';
import type { EndReason, FactBody } from '../../agent/protocol/fact';
import type { RunInput } from '../../agent/protocol/run';
import type { AgentState } from '../../agent/state/state';
import type { Json } from '../../agent/values/json';
import { appended, loopEnd, type Step } from './append';
import { type CallInput, stepCalls } from './calls';
import { stepTalk, type TalkInput, unanswered, unread } from './conversation';
import { begun } from './first-state';
import { type ModelInput, stepModel } from './model';
import { type QuestionInput, stepQuestion } from './questions';
import { stepUndo, type UndoInput } from './undo';
import { stepWait, type WaitInput } from './waits';

/** What happens to a run as a whole. */
type RunStep =
  | { type: 'started'; given: RunInput; lineage?: string }
  | { type: 'described'; result: DescribeAgentResult }
  | { type: 'contextBuilt'; result: BuildContextResult }
  | { type: 'ended'; reason: EndReason; data?: Json; error?: { type: string; message: string } };

/** What happens to a run. */
export type StepInput = RunStep | ModelInput | CallInput | WaitInput | QuestionInput | TalkInput | UndoInput;

/** The run after `input`, and what is worth telling about it. Pure: the whole life of a run is a fold of this. */
export function step(state: AgentState, input: StepInput): Step {
  const of: (state: AgentState, input: never) => Step = STEPS[input.type];
  return of(state, input as never);
}

const STEPS: {
  readonly [T in StepInput['type']]: (state: AgentState, input: Extract<StepInput, { type: T }>) => Step;
} = {
  started: (state, { given, lineage }) => ({ state: { ...state, ...begun(given, lineage) }, facts: [] }),
  described: (state, { result }) => described(state, result),
  contextBuilt: (state, { result }) => contextBuilt(state, result),
  ended,
  calling: stepModel,
  sent: stepModel,
  answered: stepModel,
  measured: stepModel,
  tooLong: stepModel,
  noCall: stepModel,
  outputRejected: stepModel,
  unchecked: stepModel,
  completed: stepModel,
  waiting: stepModel,
  resumed: stepModel,
  retried: stepModel,
  unanswered: stepModel,
  cut: stepModel,
  switched: stepModel,
  fellBack: stepModel,
  acting: stepCalls,
  settled: stepCalls,
  batchSettled: stepCalls,
  approvalsAsked: stepWait,
  remembered: stepWait,
  decided: stepWait,
  escalated: stepWait,
  approvalExpired: stepWait,
  serviceCalled: stepWait,
  serviceAnswered: stepWait,
  granted: stepWait,
  notKept: stepWait,
  ignored: stepWait,
  replyFailed: stepWait,
  questionsAsked: stepQuestion,
  replied: stepQuestion,
  received: stepTalk,
  steered: stepTalk,
  exchangeBegun: stepTalk,
  exchangeEnded: stepTalk,
  withdrawn: stepTalk,
  renamed: stepTalk,
  closing: stepTalk,
  undoBegun: stepUndo,
  undoLeft: stepUndo,
  undone: stepUndo,
  undoFailed: stepUndo,
};

function described(state: AgentState, { manifest, hash }: DescribeAgentResult): Step {
  const toolInteractions = { current: 0, max: manifest.limits.maxToolInteractions };
  return { state: { ...state, manifest, pin: { manifest: hash, context: '' }, toolInteractions }, facts: [] };
}

function contextBuilt(state: AgentState, { context, hash, messages }: BuildContextResult): Step {
  const pin = { manifest: state.pin?.manifest ?? '', context: hash };
  const next: AgentState = { ...state, context, pin, ...opening(state, messages) };
  const facts: FactBody[] = [{ type: 'loop.start', agent: state.agent }];
  if (state.manifest?.mode === 'conversation' && !next.idle) facts.push({ type: 'exchange.start' });
  return appended(next, messages, facts);
}

/** What opens the first exchange; a conversation may have to wait for it. */
function opening({ manifest }: AgentState, messages: readonly Message[]): Partial<AgentState> {
  const last = messages.length - 1;
  if (manifest?.mode !== 'conversation' || messages[last]?.role === 'user') return { opened: last };
  return { exchange: 0, idle: true };
}

function ended(
  { outage: _, ...state }: AgentState,
  { reason, error, data }: Extract<RunStep, { type: 'ended' }>,
): Step {
  const end = { reason, ...(error === undefined ? {} : { error }), ...(data === undefined ? {} : { data }) };
  const last = appended({ ...state, end, steers: [], notes: [], inbox: [] }, [...unread(state), ...unanswered(state)]);
  return { state: last.state, facts: [...last.facts, loopEnd(last.state)] };
}
