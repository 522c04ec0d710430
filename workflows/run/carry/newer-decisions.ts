import { HoldfastError } from '../../../agent/errors/error';
import { DECISIONS } from '../../../agent/protocol/decisions';
import type { Manifest } from '../../../agent/protocol/manifest';
import { leaveToOthers } from './unread-state';

/**
 * Leaves a run to workers that know how it decides: what this one decides in its place, they could not replay, and the run
 * would be stuck when they are back. A run that is begun beside newer workers does not take decisions of theirs.
 */
export function leaveNewerDecisions({ decisions = 1 }: Pick<Manifest, 'decisions'>): void {
  if (decisions > DECISIONS) {
    leaveToOthers(new HoldfastError('UnknownDecisions', { version: decisions, known: DECISIONS }));
  }
}
