import { BYTES } from '../../agent/limits';
import { firstHere } from '../../agent/model/transcript';
import type { CallModelInput, PrefixRef } from '../../agent/protocol/calls/model-call';
import type { Run } from '../run/run';

/** What an activity needs to have the transcript: what was sent before, what is sent now, and what is between. */
export function transcriptInput({ state, index }: Run): Pick<CallModelInput, 'prefix' | 'transcript' | 'delta'> {
  const { messages, epoch, sent } = state;
  const prefix = sent.epoch === epoch ? sent : index.ref(messages, epoch, 0);
  const transcript = index.ref(messages, epoch);
  return isSent(messages, prefix) && index.bytes(messages, epoch, prefix.length) <= BYTES.delta
    ? { prefix, transcript, delta: messages.slice(prefix.length) }
    : { prefix, transcript };
}

/** Whether all messages after the prefix are here. */
function isSent(messages: Run['state']['messages'], { length }: PrefixRef): boolean {
  return length >= firstHere(messages);
}

/** Bytes of the delta. */
export function deltaBytes({ state, index }: Run, { delta, prefix }: Pick<CallModelInput, 'prefix' | 'delta'>): number {
  return delta === undefined ? 0 : index.bytes(state.messages, state.epoch, prefix.length);
}
