import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { upsertMemo, upsertSearchAttributes } from '@temporalio/workflow';
import type { AgentState } from '../../agent/state/state';
import { shorten } from '../../agent/values/shorten';
import { awaitedOf, type Waits } from '../state/selectors/awaited';
import { waitOf } from '../state/selectors/wait-of';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);
const AGENT = keyword('HoldfastAgent');
const STATUS = keyword('HoldfastStatus');
const OWNER = keyword('HoldfastOwner');
const AWAITING = keyword('HoldfastAwaiting');
const PARENT = keyword('HoldfastParent');
/** Characters of a keyword in SQL visibility stores. Over 2 KB the server terminates the run when it ends. */
const MAX_KEYWORD = 255;
/** Name of the memo field, and how many calls it lists. */
const MEMO = 'holdfastWaits';
const MEMO_CALLS = 20;

/** A run as lists show it. */
interface ListedRun {
  readonly state: AgentState;
  /** What it waits for. */
  published: Waits | undefined;
  /** Calls that wait, as the memo lists them in a namespace without search attributes. */
  listed: string[] | undefined;
}

/**
 * Makes a run findable by what it waits for: by its search attributes or, in a namespace without them, by its memo.
 * Does nothing where the wait has not changed. True: it left a command in history.
 */
export function publish(run: ListedRun): boolean {
  const { state, published } = run;
  if (state.manifest?.searchAttributes) {
    const waits = awaitedOf(state);
    if (waits === published) return false;
    run.published = waits;
    upsertSearchAttributes([
      ...identity(state),
      { key: STATUS, value: statusOf(waits) },
      { key: AWAITING, value: waits ?? null },
    ]);
    return true;
  }
  const names = namesOf(state);
  if (names.join() === (run.listed ?? []).join()) return false;
  list(run, names);
  return true;
}

/** Lists of runs show what the history before this one has published: Temporal passes on attributes and memo. */
export function alreadyListed(run: ListedRun, phase: AgentState['phase']): void {
  const state = { ...run.state, phase };
  run.published = awaitedOf(state);
  run.listed = namesOf(state);
}

/**
 * Leaves a marker in history, that of {@link publish} or one that changes nothing. See `wait` and `settledBeside` for
 * the reason.
 */
export function fence(run: ListedRun): void {
  if (publish(run)) return;
  if (run.state.manifest?.searchAttributes) upsertSearchAttributes([{ key: STATUS, value: statusOf(run.published) }]);
  else list(run, run.listed ?? []);
}

function list(run: ListedRun, names: string[]): void {
  run.listed = names;
  upsertMemo({ [MEMO]: names });
}

function statusOf(waits: Waits | undefined): string {
  return waits === undefined ? 'running' : 'waiting';
}

function identity({ agent, owner, delegatedBy }: AgentState) {
  return [
    { key: AGENT, value: agent },
    ...(owner === undefined ? [] : [{ key: OWNER, value: owner.slice(0, MAX_KEYWORD) }]),
    ...(delegatedBy === undefined ? [] : [{ key: PARENT, value: delegatedBy.id.slice(0, MAX_KEYWORD) }]),
  ];
}

/** Calls that wait, as lists of runs show them in the memo. */
function namesOf({ batch, phase }: AgentState): string[] {
  if (phase.at === 'ended') return [];
  const waits = batch.filter((call) => waitOf(call) !== undefined);
  return waits.slice(0, MEMO_CALLS).map(({ toolUseId, name }) => shorten(`${toolUseId} ${name}`, 100));
}

/** Lists a run as ended and no longer waiting. Attributes that are not registered would make the task fail forever. */
export function publishEnd(run: ListedRun): void {
  const { state, published, listed = [] } = run;
  if (state.phase.at !== 'ended') return;
  if (!state.manifest?.searchAttributes) {
    if (listed.length > 0) list(run, []);
    return;
  }
  upsertSearchAttributes([
    ...identity(state),
    { key: STATUS, value: state.phase.reason },
    ...(published === undefined ? [] : [{ key: AWAITING, value: null }]),
  ]);
}
