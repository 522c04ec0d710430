import type { ApplicationFailure } from '@temporalio/workflow';
import type { ErrorType } from '../../agent/errors/error';
import type { ContextWindow } from '../../agent/model/context-window';
import {
  type CallModelInput,
  NEARLY_FULL,
  type NearlyFull,
  type PartialAnswer,
} from '../../agent/protocol/calls/model-call';
import type { AgentState } from '../../agent/state/state';
import { compactable } from '../../agent/window/compaction-due';

/** How many calls of one turn may be refused as too long. Each sends less than the one before. */
const REFUSALS = 5;

/** Which part of the transcript the next call sends; empty where the window is unknown: it would only fill history. */
export function trimmingInput({
  manifest,
  trimming,
  messages,
  opened,
}: AgentState): Pick<CallModelInput, 'trimming' | 'opened'> {
  const { from, window, factor, summary, shortened } = trimming;
  const known = manifest?.contextWindow ?? window ?? factor ?? summary ?? shortened;
  if (known === undefined && from === 0) return {};
  return { trimming: windowInUse({ trimming, messages }), opened };
}

/** Which part of the transcript is sent next. */
export function windowInUse({ trimming, messages }: Pick<AgentState, 'trimming' | 'messages'>): ContextWindow {
  return rewound(trimming, messages.length);
}

/** After a rewrite that left less than was sent, the activity chooses again. */
function rewound(trimming: ContextWindow, length: number): ContextWindow {
  return trimming.from < length ? trimming : { ...trimming, from: 0 };
}

/** Whether a refused call is repeated with less of the transcript. `refused`: refused calls of the turn before it. */
export function mayShrink(
  errorType: string | null | undefined,
  partial: PartialAnswer | undefined,
  refused: number,
): partial is PartialAnswer & { trimming: ContextWindow } {
  const tooLong: ErrorType = 'ModelContextTooLong';
  return errorType === tooLong && partial?.trimming !== undefined && refused < REFUSALS;
}

/** Whether the run compacts when a call was refused as too long: what would be left out is then summed up first. */
export function compactsByItself(state: AgentState): boolean {
  const strategy = state.manifest?.context?.strategy ?? 'trim';
  return strategy !== 'trim' && compactable(state) > 0;
}

/** What a call would have left of the window, if it was not made because that is too little. */
export function nearlyFull(failure: ApplicationFailure | undefined): NearlyFull | undefined {
  if (failure?.type !== NEARLY_FULL) return undefined;
  const about = failure.details?.[0] as NearlyFull | undefined;
  return about ?? { left: 0 };
}
