import type { ErrorType } from '../../agent/errors/error';
import type { ContextWindow } from '../../agent/model/context-window';
import type { CallModelInput, PartialAnswer } from '../../agent/protocol/calls/model-call';
import type { AgentState } from '../../agent/state/state';

/** How many calls of one turn may be refused as too long. Each sends less than the one before. */
const REFUSALS = 5;

/** Which part of the transcript the next call sends; empty where the window is unknown: it would only fill history. */
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
