import { BYTES } from '../../agent/limits';
import { firstHere } from '../../agent/model/transcript';
import type { CallModelInput, PrefixRef } from '../../agent/protocol/calls/model-call';
import type { Run } from '../run/run';

/** What an activity needs to have the transcript: what was sent before, what is sent now, and what is between. */
export function transcriptInput(run: Run): Pick<CallModelInput, 'prefix' | 'transcript' | 'delta'> {
  const { state, index } = run;
  const { messages, epoch } = state;
  const prefix = known(run);
  const transcript = index.ref(messages, epoch);
  return isSent(messages, prefix) && index.bytes(messages, epoch, prefix.length) <= BYTES.delta
    ? { prefix, transcript, delta: messages.slice(prefix.length) }
    : { prefix, transcript };
}

/** What the worker of the last model call has: the messages that were sent, and the answer, if it is what it expects. */
function known({ state: { messages, epoch, sent }, index, answered }: Run): PrefixRef {
  if (sent.epoch !== epoch) return index.ref(messages, epoch, 0);
  const isExpected = answered !== undefined && JSON.stringify(messages[sent.length]) === JSON.stringify(answered);
  return isExpected ? index.ref(messages, epoch, sent.length + 1) : sent;
}

/** Whether all messages after the prefix are here. */
function isSent(messages: Run['state']['messages'], { length }: PrefixRef): boolean {
  return length >= firstHere(messages);
}

/** Bytes of the delta. */
export function deltaBytes({ state, index }: Run, { delta, prefix }: Pick<CallModelInput, 'prefix' | 'delta'>): number {
  return delta === undefined ? 0 : index.bytes(state.messages, state.epoch, prefix.length);
}
