import { ApplicationFailure } from '@temporalio/common';
import { NEARLY_FULL, type NearlyFull } from '../../../agent/protocol/calls/model-call';
import { wrapUpRoom } from '../../../agent/window/room';
import { type FittedCall, fixedTokens } from './fit-call';
import { pruneMessages } from './trim-messages';

/**
 * Checks that the next turn has room as well. Otherwise the run asks the model to conclude, while an answer still fits.
 * @throws ApplicationFailure {@link NEARLY_FULL}
 */
export function checkNotFull(fitted: FittedCall): void {
  const { knownWindow: window, room, manifest, trimming, choice } = fitted;
  // Without tools the next answer is the last one anyway.
  if (window === undefined || manifest.tools.length === 0) return;
  const least = fixedTokens(fitted) + pruneMessages({ ...choice, room: 0 }).tokens;
  const left = Math.max(0, Math.floor(room - least * (trimming.factor ?? 1)));
  if (left >= wrapUpRoom(window, manifest.context)) return;
  const about: NearlyFull = { left, window };
  throw ApplicationFailure.create({
    type: NEARLY_FULL,
    message: `Only ${left} tokens of a window of ${window} would be left.`,
    details: [{ ...about }],
    nonRetryable: true,
  });
}
