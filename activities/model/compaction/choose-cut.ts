import { cutKeeping, firstSent } from '../../../agent/window/cut';
import { summaryRoom, thresholdOf } from '../../../agent/window/room';
import type { FittedCall } from '../window/fit-call';
import { cutToFit, FILLED } from '../window/trim-messages';

/**
 * Index of the first message that is not compacted: it leaves the last `keep`. If they leave so little room that the next
 * turn would have to compact again, it leaves fewer.
 */
export function chooseCut(fitted: FittedCall, keep: number): number {
  const { choice } = fitted;
  const cut = Math.max(firstSent(choice), cutKeeping(keep, choice));
  return cutToFit({ ...choice, cut, room: roomAfter(fitted) });
}

/** Tokens that messages may have after a compaction. */
function roomAfter({ window, room, trimming, manifest, system, tools }: FittedCall): number {
  if (window === undefined) return Infinity;
  const spec = manifest.context;
  const target = Math.min(room - thresholdOf(window, spec), room * FILLED) / (trimming.factor ?? 1);
  return target - system - tools - summaryRoom(window, spec);
}
