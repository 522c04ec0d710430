import { defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';

const orders = new Map([
  ['A-17', { item: 'lamp', paid: 40 }],
  ['B-04', { item: 'desk', paid: 320 }],
]);

const findOrder = defineTool({
  description: 'Find an order by its id',
  effect: 'read',
  inputSchema: z.object({ id: z.string() }),
  execute: ({ id }) => orders.get(id) ?? 'There is no such order.',
});

/** `effect` is `once` by default: after a crash in the middle it is not run a second time. */
const refund = defineTool({
  description: 'Pay the money for an order back',
  inputSchema: z.object({ id: z.string(), amount: z.number().positive() }),
  // A person decides each time. The run waits for up to a week, and survives restarts of worker and server.
  approval: { expires: '7d' },
  execute: ({ id, amount }) => ({ id, refunded: amount }),
});

export const support = defineAgent({
  name: 'shop.support',
  description: 'Answers the mail of customers',
  instructions: 'Answer the mail of a customer. Look the order up first. Refund what is fair.',
  inputSchema: z.object({ mail: z.string() }),
  outputSchema: z.object({ reply: z.string() }),
  tools: { find_order: findOrder, refund },
});
