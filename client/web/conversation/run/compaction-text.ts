import type { Fact } from '../../../../agent/protocol/facts/fact';

/** What a fact says about old messages that are summed up; empty for one that begins something else. */
export function compactionText(fact: Fact): string | undefined {
  switch (fact.type) {
    case 'context.compacting':
      return 'Old messages are being summed up.';
    case 'context.compacted': {
      const { before, after } = fact.tokens;
      return `Old messages are summed up: the model is sent about ${after.toLocaleString('en')} tokens instead of ${before.toLocaleString('en')}.`;
    }
    case 'context.summary.failed':
      return `Old messages were not summed up: ${fact.error.message}`;
    case 'exchange.start':
      return '';
    default:
      return undefined;
  }
}
