import { agentService, defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';

const question = z.object({ question: z.string() });

const correctInvoice = defineTool({
  description: 'Correct the sum of an invoice',
  input: z.object({ order: z.string(), amount: z.number() }),
  approval: { deciders: ['role:finance'] },
  run: ({ order, amount }) => `The invoice of ${order} says ${amount} now.`,
});

export const billing = defineAgent({
  name: 'billing.specialist',
  instructions: 'You know all about invoices.',
  input: question,
  tools: { correct_invoice: correctInvoice },
});

const sendReplacement = defineTool({
  description: 'Send the same article once more',
  input: z.object({ order: z.string() }),
  approval: { deciders: ['role:workshop'] },
  run: ({ order }) => `A parcel for ${order} leaves today.`,
});

export const tech = defineAgent({
  name: 'tech.specialist',
  instructions: 'You know all about lamps.',
  input: question,
  tools: { send_replacement: sendReplacement },
});

const refund = defineTool({
  description: 'Pay money back to a customer',
  input: z.object({ order: z.string(), amount: z.number().positive() }),
  approval: {
    when: ({ amount }) => amount > 50,
    deciders: ['role:finance'],
    expires: '3d',
  },
  run: ({ order, amount }) => ({ order, refunded: amount }),
});

export const desk = defineAgent({
  name: 'support.desk',
  instructions: 'Answer the mail of a customer. Ask billing and tech, at once where you can. Refund what is fair.',
  input: z.object({ mail: z.string() }),
  output: z.object({ reply: z.string() }),
  tools: { refund },
  services: {
    billing: agentService(billing, { description: 'Knows invoices, and corrects them' }),
    tech: agentService(tech, { description: 'Knows lamps, and replaces them' }),
  },
});
