import type { CallSections } from '../../agent/protocol/calls/sent-sections';
import { sha256 } from '../../runtime/sha256';
import type { TurnSections } from './turn-sections';

/** What a call tells of its turn message. `known`: the text of this hash is in the history already. */
export function callSections({ sent, leftOut }: TurnSections, known: string | undefined): CallSections {
  const hash = sha256(JSON.stringify(sent));
  return {
    hash,
    names: sent.map(({ name }) => name),
    ...(hash === known ? {} : { sent: [...sent] }),
    ...(leftOut.length === 0 ? {} : { leftOut: [...leftOut] }),
  };
}
