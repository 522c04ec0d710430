import { type Agent, agentService, defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';

/** An agent with a tool that reads, one that needs a person and can be undone, and questions. */
const desk = defineAgent({
  name: 'support.desk',
  description: 'Helps with orders. Asks before it refunds one.',
  mode: 'conversation',
  instructions: 'Help.',
  loopTools: ['ask_question'],
  tools: {
    look: defineTool({
      description: 'Look up an order',
      effect: 'read',
      inputSchema: z.object({ id: z.string() }),
      execute: async ({ id }) => ({ id, state: 'sent', carrier: 'post' }),
    }),
    refund: defineTool({
      description: 'Refund an order',
      inputSchema: z.object({ amount: z.number(), note: z.string().optional() }),
      approval: 'always',
      execute: async ({ amount }) => `refunded ${amount}`,
      undo: async ({ amount }) => `took back ${amount}`,
    }),
  },
});

const triage = defineAgent({
  name: 'support.triage',
  description: 'Sorts a mail into a queue.',
  instructions: 'Sort.',
  inputSchema: z.object({ mail: z.string(), urgent: z.boolean().optional() }),
  outputSchema: z.object({ queue: z.string() }),
});

/** An agent with a second model, a small budget, and a question with a form. */
const saver = defineAgent({
  name: 'support.saver',
  description: 'Looks after the money.',
  mode: 'conversation',
  instructions: 'Help.',
  model: ['default', 'spare'],
  modelSettings: { maxTokens: 100 },
  budget: { tokens: 2000 },
  loopTools: ['ask_question'],
});

const clerk = defineAgent({ name: 'support.clerk', description: 'Counts.', instructions: 'Count.' });
/** An agent for which another one works. */
const head = defineAgent({
  name: 'support.head',
  description: 'Has others count.',
  mode: 'conversation',
  instructions: 'Delegate.',
  services: { clerk: agentService(clerk) },
});

export const AGENTS = [desk, triage, saver, head, clerk] as unknown as readonly Agent[];
