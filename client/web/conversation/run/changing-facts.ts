import type { Fact } from '../../../../agent/protocol/facts/fact';

/** Facts after which a conversation that is not being streamed goes on, or looks different. */
const CHANGING: ReadonlySet<Fact['type']> = new Set<Fact['type']>([
  'message.received',
  'exchange.start',
  'exchange.end',
  'loop.iteration',
  'approval.decided',
  'approval.expired',
  'approval.requested',
  'question.asked',
  'question.answered',
  'question.declined',
  'question.expired',
  'question.withdrawn',
  'service.answered',
  'tool.result',
  'tool.error',
  'transcript.rewritten',
  'loop.end',
]);

export function changesTheChat(fact: Fact): boolean {
  return CHANGING.has(fact.type);
}
