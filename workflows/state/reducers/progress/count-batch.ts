import { callKey } from '../../../../agent/breakers/blocked-calls';
import type { BreakerSpec } from '../../../../agent/breakers/breaker-spec';
import type { ToolSpec } from '../../../../agent/protocol/manifest';
import type { BatchCall } from '../../../../agent/state/batch';
import type { BreakerState } from '../../../../agent/state/breaker-state';
import type { AgentState } from '../../../../agent/state/state';
import { hashText } from '../../../../agent/values/hash';
import { errorOf, toolOf } from '../../selectors/calls';

/** One call of a batch that has settled, as breakers see it. */
interface CountedCall {
  name: string;
  /** Missing: there is no such tool. */
  tool?: ToolSpec;
  /** Equal for equal calls. */
  key: string;
  error?: string;
}

/** Calls that are remembered, so that they are not made again. */
const REMEMBERED = 20;

/** A person or the run itself stopped the call. It is as if it had not been made. */
const STOPPED: ReadonlySet<string> = new Set(['ToolCancelled', 'ServiceCancelled', 'QuestionWithdrawn']);

/** Breakers were in the way of the call. */
const BLOCKED: ReadonlySet<string> = new Set(['RepeatedCall', 'ToolWithdrawn']);

/** Errors that neither the tool nor the arguments caused. */
const NO_FAULT: ReadonlySet<string> = new Set([
  ...STOPPED,
  ...BLOCKED,
  ...['Denied', 'ApprovalExpired', 'QuestionExpired', 'QuestionDeclined'],
  ...['BudgetUsedUp', 'TooManyCalls', 'AnswerCut', 'OutcomeUnknown', 'DelegationRefused'],
]);

/** Errors of calls that were not run. */
const NOT_RUN: ReadonlySet<string> = new Set([
  ...BLOCKED,
  'Denied',
  'ApprovalExpired',
  'ToolCancelled',
  'BudgetUsedUp',
]);

/** The calls of the batch. */
export function countedCalls(state: AgentState): CountedCall[] {
  return state.batch.map((call) => {
    const tool = toolOf(state, call.name);
    const error = errorOf(call);
    return {
      name: call.name,
      key: keyOf(call, tool, error),
      ...(tool === undefined ? {} : { tool }),
      ...(error === undefined ? {} : { error: error.type }),
    };
  });
}

/** Arguments that could not be read are all `{}`: the error tells them apart, as far as it quotes them. */
function keyOf({ name, hash }: BatchCall, tool: ToolSpec | undefined, error: ReturnType<typeof errorOf>): string {
  if (tool !== undefined && error?.type !== 'InvalidJson') return callKey(name, hash);
  return hashText(`${name}/${hash}/${error?.message ?? ''}`);
}

/** What a batch adds to the counts, without what follows from them. */
export function countBatch(before: BreakerState, calls: readonly CountedCall[], spec: BreakerSpec): BreakerState {
  const ofTools = calls.filter(({ tool }) => tool !== undefined && tool.kind !== 'loop');
  const wrong = calls.filter(({ error }) => error !== undefined);
  const isBlocked = calls.every(({ error }) => error !== undefined && BLOCKED.has(error));
  const isFailed = wrong.length === calls.length && wrong.some(isItsFault);
  return {
    ...before,
    calls: before.calls + ofTools.length,
    changes: before.changes + ofTools.filter(mayHaveChanged).length,
    made: spec.repeatedCalls === 'skip' ? madeAfter(before.made, ofTools) : before.made,
    failing: calls.reduce(failingAfter, before.failing),
    failures: spec.toolFailures === undefined ? before.failures : failuresAfter(before.failures, ofTools),
    blockedRounds: isBlocked ? before.blockedRounds + 1 : 0,
    failedRounds: isFailed ? before.failedRounds + 1 : 0,
    empty: 0,
    incomplete: 0,
  };
}

/** The model called what does not exist, does not work, or does not take such arguments. */
function isItsFault({ error = '' }: CountedCall): boolean {
  return error === 'ToolWithdrawn' || !NO_FAULT.has(error);
}

function mayHaveChanged({ tool, error }: CountedCall): boolean {
  return tool?.effect !== 'read' && (error === undefined || !NOT_RUN.has(error)) && !isUnreadable(error);
}

/** The arguments did not get as far as the tool. */
function isUnreadable(error: string | undefined): boolean {
  return error === 'InvalidJson' || error === 'InvalidArguments' || error === 'AnswerCut' || error === 'TooManyCalls';
}

/**
 * Calls whose repetition gives nothing new: those of the last answer, and those that read since the last one that may
 * have changed something. What was read beside such a call may have been read too early.
 */
function madeAfter(before: BreakerState['made'], calls: readonly CountedCall[]): BreakerState['made'] {
  const ran = calls.filter(({ error }) => error === undefined || !NO_FAULT.has(error));
  const skipped = calls.filter(({ error }) => error === 'RepeatedCall');
  const changing = ran.filter(mayHaveChanged);
  const reads = changing.length > 0 ? [] : before.filter((call) => call.reads);
  const made = [...(changing.length > 0 ? changing : ran), ...skipped];
  const after = new Map(reads.map((call) => [call.key, call]));
  for (const { key, tool } of made) after.set(key, { key, reads: tool?.effect === 'read' });
  return [...after.values()].slice(-REMEMBERED);
}

function failingAfter(before: BreakerState['failing'], { key, error }: CountedCall): BreakerState['failing'] {
  if (error !== undefined && STOPPED.has(error)) return before;
  if (error === undefined) return { call: '', times: 0 };
  return { call: key, times: before.call === key ? before.times + 1 : 1 };
}

function failuresAfter(before: BreakerState['failures'], calls: readonly CountedCall[]): BreakerState['failures'] {
  // A tool may be called `constructor`.
  const after = new Map(Object.entries(before));
  for (const { name, error } of calls) {
    if (error === undefined) after.delete(name);
    else if (!NO_FAULT.has(error)) after.set(name, (after.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(after);
}

/** The most failures in a row of one call that a batch has reached, and the call. */
export function longestFailing(
  before: BreakerState['failing'],
  calls: readonly CountedCall[],
): {
  name: string;
  times: number;
} {
  let failing = before;
  let longest = { name: '', times: 0 };
  for (const call of calls) {
    const after = failingAfter(failing, call);
    const isMore = after !== failing && after.times > longest.times;
    if (isMore) longest = { name: call.name, times: after.times };
    failing = after;
  }
  return longest;
}
