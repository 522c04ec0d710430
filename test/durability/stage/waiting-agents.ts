import { z } from 'zod';
import { defineContract } from '../../../agent/contracts/contract';
import { defineAgent } from '../../../agent/define/agent';
import { signalService } from '../../../agent/define/service';
import { defineTool } from '../../../agent/define/tool';

const count = defineContract({
  type: 'store.count',
  versions: {
    '1.0.0': { accepts: z.object({}), emits: { 'evt.store.count.success': z.object({ left: z.number() }) } },
  },
});

/** Waits for a person, and for the result of a service. */
export const keeper = defineAgent({
  name: 'durability.keeper',
  tools: {
    pay: defineTool({
      description: 'Pays',
      inputSchema: z.object({}),
      approval: { expires: '30d' },
      execute: (_, ctx) => `paid ${ctx.id}`,
    }),
  },
  services: { count: signalService(count, '1.0.0', { timeout: '30d' }) },
});
