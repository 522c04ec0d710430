import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { setCurrentDetails, upsertMemo, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { AgentState, AwaitingCall } from '../agent/state';
import type { Run } from './run';
import { openCalls } from './status-waits';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);
const AGENT = keyword('HoldfastAgent');
const STATUS = keyword('HoldfastStatus');
const OWNER = keyword('HoldfastOwner');
const AWAITING = keyword('HoldfastAwaiting');
const PARENT = keyword('HoldfastParent');
/** Characters that SQL visibility stores hold of a keyword; over 2 KB the server terminates the run at its very end. */
const MAX_KEYWORD = 255;
/** Name of the memo field, and calls that it lists. */
const MEMO = 'holdfastWaits';
const MEMO_CALLS = 20;

/** Shows the live page of the run in the Web UI. It is no command: it costs no history and nothing in a replay. */
export function showStatus(run: Run): void {
  setCurrentDetails(run.page.text(run.state));
}

/** What a run may wait for, as lists of runs show it. */
export type Waits = 'approval' | 'question' | 'answer' | 'message';

/** What a run waits for: a person's decision first, then a person's answer, then a service's, then the next message. */
function awaitingOf({ awaiting, idle, end, inbox }: AgentState): Waits | undefined {
  if (end !== undefined) return undefined;
  if (idle && inbox.length === 0) return 'message';
  const open = openCalls(awaiting);
  if (open.some(({ approval }) => approval !== undefined && approval.decision === undefined)) return 'approval';
  if (open.some(({ questions = [] }) => questions.some(({ reply }) => reply === undefined))) return 'question';
  // Children show by themselves what they wait for.
  const remote = ({ service }: AwaitingCall) => service?.way === 'event' || service?.way === 'signal';
  return open.some((call) => remote(call) && call.service?.answer === undefined) ? 'answer' : undefined;
}

/**
 * Makes a run findable by what it waits for, whenever that may have changed. It always leaves a mark in history: on a
 * replay the engine runs a task that left none together with the next one, and a decision or an answer that came then
 * would be judged before what made it welcome, or too late, has happened.
 */
export function publishWaiting(run: Run): void {
  const { state } = run;
  const waits = awaitingOf(state);
  const task = workflowInfo().historyLength;
  if (!state.manifest?.searchAttributes || waits === run.published) {
    if (task !== run.marked) upsertMemo({ [MEMO]: namesOf(state) });
    run.marked = task;
    return;
  }
  run.marked = task;
  run.published = waits;
  upsertSearchAttributes([
    ...identity(state),
    { key: STATUS, value: waits === undefined ? 'running' : 'waiting' },
    { key: AWAITING, value: waits ?? null },
  ]);
}

function identity({ agent, owner, delegatedBy }: AgentState) {
  return [
    { key: AGENT, value: agent },
    ...(owner === undefined ? [] : [{ key: OWNER, value: owner.slice(0, MAX_KEYWORD) }]),
    ...(delegatedBy === undefined ? [] : [{ key: PARENT, value: delegatedBy.id.slice(0, MAX_KEYWORD) }]),
  ];
}

/** Calls that wait, as lists of runs show them in the memo. */
function namesOf({ awaiting }: AgentState): string[] {
  const open = awaiting.filter(
    ({ outcome, approval, service, questions = [] }) =>
      outcome === undefined &&
      (service !== undefined ||
        (approval !== undefined && approval.decision === undefined) ||
        questions.some(({ reply }) => reply === undefined)),
  );
  return open.slice(0, MEMO_CALLS).map(({ toolUseId, name }) => `${toolUseId} ${name}`.slice(0, 100));
}

/** Makes an ended run findable. Where the attributes are not registered the task would fail for ever. */
export function publishEnd({ state, published }: Run): void {
  if (!state.manifest?.searchAttributes || state.end === undefined) return;
  upsertSearchAttributes([
    ...identity(state),
    { key: STATUS, value: state.end.reason },
    ...(published === undefined ? [] : [{ key: AWAITING, value: null }]),
  ]);
}
