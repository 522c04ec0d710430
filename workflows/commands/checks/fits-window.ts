import type { Steer } from '../../../agent/conversation/messages';
import { HoldfastError } from '../../../agent/errors/error';
import { ACTIVITY } from '../../../agent/protocol/activities';
import type { CountMessageInput, CountMessageResult } from '../../../agent/protocol/calls/count-message';
import type { AgentState } from '../../../agent/state/state';
import { MEDIA_TOKENS } from '../../../agent/window/media-tokens';
import { sendRoom } from '../../../agent/window/room';
import type { Run } from '../../run/run';
import { modelInUse } from '../../state/selectors/model-in-use';
import { filterInput } from '../../state/selectors/tool-filter';
import { Parked } from '../settle-command';
import { partsOf, textBytes } from './check-message';

/**
 * Takes a message, after a worker has counted it where it may be too large for any call. A token has at least one byte:
 * a message of few bytes needs no count. Others may overtake one that is counted.
 * @throws HoldfastError `MessageTooLarge`
 */
export function ifItFits<Taken>(run: Run, said: Steer, take: () => Taken): Taken | Parked<CountMessageResult> {
  if (!mayBeTooLarge(run.state, said)) return take();
  const { id, manifest, trimming } = run.state;
  const parts = partsOf(said).map((part) =>
    part.type === 'text' ? part : { type: part.type, mediaType: part.mediaType },
  );
  const input: CountMessageInput = {
    pin: run.pin,
    model: modelInUse(run.state),
    parts,
    trimming,
    ...filterInput(run.state, { again: true }),
  };
  const check = { activity: ACTIVITY.countMessage, input, summary: 'count a large message' };
  return new Parked(check, (verdict) => {
    // Where no worker could count it, its exchange tells whether it fits.
    if (verdict.ok || manifest === undefined || !('tokens' in verdict)) return take();
    const { tokens, max, window } = verdict;
    throw new HoldfastError('MessageTooLarge', { id, tokens, max, window });
  });
}

function mayBeTooLarge({ manifest, context, trimming }: AgentState, said: Steer): boolean {
  const window = Math.min(manifest?.contextWindow ?? Infinity, trimming.window ?? Infinity);
  if (context === undefined || window === Infinity) return false;
  const parts = partsOf(said);
  const media = parts.filter(({ type }) => type === 'media').length;
  // The other half is enough for the system prompt and the tools, which the worker knows.
  return textBytes(parts) + media * MEDIA_TOKENS > sendRoom(window, { spec: manifest?.context }) / 2;
}
