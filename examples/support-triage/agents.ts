import { agentService, defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';

const question = z.object({ question: z.string() });

const correctInvoice = defineTool({
  description: 'Correct the sum of an invoice',
  inputSchema: z.object({ order: z.string(), amount: z.number() }),
  approval: { deciders: ['role:finance'] },
  execute: ({ order, amount }) => `The invoice of ${order} says ${amount} now.`,
});

export const billing = defineAgent({
  name: 'billing.specialist',
  instructions: 'You know all about invoices.',
  inputSchema: question,
  tools: { correct_invoice: correctInvoice },
});

const sendReplacement = defineTool({
  description: 'Send the same article once more',
  inputSchema: z.object({ order: z.string() }),
  approval: { deciders: ['role:workshop'] },
  execute: ({ order }) => `A parcel for ${order} leaves today.`,
});

export const tech = defineAgent({
  name: 'tech.specialist',
  instructions: 'You know all about lamps.',
  inputSchema: question,
  tools: { send_replacement: sendReplacement },
});

const refund = defineTool({
  description: 'Pay money back to a customer',
  inputSchema: z.object({ order: z.string(), amount: z.number().positive() }),
  approval: {
    when: ({ amount }) => amount > 50,
    deciders: ['role:finance'],
    expires: '3d',
  },
  execute: ({ order, amount }) => ({ order, refunded: amount }),
});

export const desk = defineAgent({
  name: 'support.desk',
  instructions: 'Answer the mail of a customer. Ask billing and tech, at once where you can. Refund what is fair.',
  inputSchema: z.object({ mail: z.string() }),
  outputSchema: z.object({ reply: z.string() }),
  tools: { refund },
  services: {
    billing: agentService(billing, { description: 'Knows invoices, and corrects them' }),
    tech: agentService(tech, { description: 'Knows lamps, and replaces them' }),
  },
});
