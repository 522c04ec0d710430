import { childWorkflow, defineAgent, defineContract } from 'holdfast';
import { z } from 'zod';

/** The request to the warehouse, and its possible answers. */
const stock = defineContract({
  type: 'stock.check',
  description: 'Count the remaining stock of an article',
  versions: {
    '1.0.0': {
      accepts: z.object({ sku: z.string() }),
      emits: { 'evt.stock.check.success': z.object({ left: z.int() }) },
    },
  },
});

export const orders = defineAgent({
  name: 'shop.orders',
  instructions: 'Take orders. Ask how much is left before you accept one. Articles: lamp-3, desk-1.',
  inputSchema: z.object({ wish: z.string() }),
  outputSchema: z.object({ accepted: z.boolean(), why: z.string() }),
  services: {
    stock: childWorkflow(stock, '1.0.0', { workflow: 'checkStock', taskQueue: 'stock', timeout: '7d' }),
  },
});
