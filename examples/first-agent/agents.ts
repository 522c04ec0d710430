import { defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';

const orders = new Map([['A-17', { item: 'lamp', paid: 40, charged: 80 }]]);

const lookup = defineTool({
  description: 'Find an order by its id',
  effect: 'read',
  inputSchema: z.object({ id: z.string() }),
  execute: ({ id }) => orders.get(id) ?? 'There is no such order.',
});

export const triage = defineAgent({
  name: 'support.triage',
  instructions: 'Sort support mail. Look the order up first. Answer with JSON only.',
  inputSchema: z.object({ mail: z.string() }),
  outputSchema: z.object({ queue: z.enum(['billing', 'tech']), why: z.string() }),
  tools: { lookup },
});
