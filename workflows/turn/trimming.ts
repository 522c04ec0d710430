import type { ErrorType } from '../../agent/errors/error';
import type { ContextWindow } from '../../agent/model/context-window';
import type { CallModelInput, PartialAnswer } from '../../agent/protocol/activities';
import type { AgentState } from '../../agent/state/state';

/** Calls of one turn that may be refused as too long. Each of them sends less than the one before. */
const REFUSALS = 5;

/** What of the transcript the next call sends; nothing where the window is not known, since it would only fill history. */
export function trimmingInput({
  manifest,
  trimming,
  messages,
  opened,
}: AgentState): Pick<CallModelInput, 'trimming' | 'opened'> {
  const { from, window, factor } = trimming;
  const known = manifest?.contextWindow ?? window ?? factor;
  if (known === undefined && from === 0) return {};
  return { trimming: rewound(trimming, messages.length), opened };
}

/** After a rewrite that left less than was sent, the activity chooses anew. */
function rewound(trimming: ContextWindow, length: number): ContextWindow {
  return trimming.from < length ? trimming : { ...trimming, from: 0 };
}

/** Whether a call that the model refused is made again with less of the transcript; `refused`: those of the turn before it. */
export function mayShrink(
  errorType: string | null | undefined,
  partial: PartialAnswer | undefined,
  refused: number,
): partial is PartialAnswer & { trimming: ContextWindow } {
  const tooLong: ErrorType = 'ModelContextTooLong';
  return errorType === tooLong && partial?.trimming !== undefined && refused < REFUSALS;
}
