import { ApplicationFailure } from '@temporalio/common';
import { NEARLY_FULL, type NearlyFull } from '../../../agent/protocol/calls/model-call';
import { sendRoom, wrapUpRoom } from '../../../agent/window/room';
import { type FittedCall, fixedTokens, isKnown } from './fit-call';
import { pruneMessages } from './trim-messages';

/**
 * Checks that the next turn has room as well. Otherwise the run asks the model to conclude, while an answer still fits.
 * @throws ApplicationFailure {@link NEARLY_FULL}
 */
export function checkNotFull(fitted: FittedCall): void {
  const { window, config, manifest, trimming, choice } = fitted;
  // Without tools the next answer is the last one anyway.
  if (window === undefined || manifest.tools.length === 0) return;
  if (!isKnown(window, config)) return;
  const spec = manifest.context;
  const least = fixedTokens(fitted) + pruneMessages({ ...choice, room: 0 }).tokens;
  const room = sendRoom(window, { maxTokens: config.maxTokens, spec });
  const left = Math.max(0, Math.floor(room - least * (trimming.factor ?? 1)));
  if (left >= wrapUpRoom(window, spec)) return;
  const about: NearlyFull = { left, window };
  throw ApplicationFailure.create({
    type: NEARLY_FULL,
    message: `Only ${left} tokens of a window of ${window} would be left.`,
    details: [{ ...about }],
    nonRetryable: true,
  });
}
