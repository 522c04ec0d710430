import { z } from 'zod';
import { defineAgent, defineTool } from '../../../agent';

const fetch = defineTool({
  description: 'Returns a text of 2 KB',
  effect: 'read',
  inputSchema: z.object({ n: z.number() }),
  execute: ({ n }) => `R${n} ${'the quick brown fox jumps over the lazy dog. '.repeat(46)}`,
});

/** An agent that reads more than fits into its window. */
export const reader = defineAgent({
  name: 'paid.reader',
  instructions: 'Read on.',
  tools: { fetch },
  limits: { heartbeatTimeout: '2s', maxToolInteractions: 60 },
  context: { strategy: 'summarise' },
  budget: { tokens: 1_000_000 },
});
