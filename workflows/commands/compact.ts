import { HoldfastError } from '../../agent/errors/error';
import type { CompactReceipt, CompactRequest } from '../../agent/protocol/calls/compaction';
import { compactable, defaultKeep } from '../../agent/window/compaction-due';
import type { Run } from '../run/run';
import { checkNotEnded } from './checks/check-phase';

/**
 * Has the run replace its old messages in what is sent. Without an answer in progress it does so at once, otherwise
 * before its next model call: the outcome is a fact.
 */
export function compact(run: Run, request: CompactRequest): CompactReceipt {
  const { state } = run;
  checkNotEnded(state);
  const keep = request.keep ?? defaultKeep(state);
  const messages = compactable(state, keep);
  if (messages === 0) throw new HoldfastError('NothingToCompact', { id: state.id, keep });
  run.apply({ type: 'compactAsked', request });
  return { when: state.phase.at === 'idle' ? 'now' : 'next-call', messages, after: state.facts };
}
