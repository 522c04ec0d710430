import type { Message } from '../../../agent/model/message';
import type { FactBody } from '../../../agent/protocol/facts/fact';
import type { AgentState } from '../../../agent/state/state';

/** Where calls are text, thinking is a part of its message like any other: a fact says where it is. */
export function thinkingFacts({ manifest }: AgentState, { role, turn, parts }: Message, index: number): FactBody[] {
  if (manifest?.toolCalls !== 'text' || role !== 'assistant') return [];
  return parts.flatMap(({ type }, part): FactBody[] =>
    type === 'reasoning' ? [{ type: 'thinking', turn, index, part }] : [],
  );
}
