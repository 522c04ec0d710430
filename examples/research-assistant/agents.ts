import { defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';
import { DOCUMENTS, reportOn } from './documents';

const readReport = defineTool({
  description: 'Read the report on a site',
  effect: 'read',
  inputSchema: z.object({ site: z.number().int().min(1).max(DOCUMENTS) }),
  execute: ({ site }) => reportOn(site),
});

export const assistant = defineAgent({
  name: 'forest.research',
  instructions: `Read the reports on the sites 1 to ${DOCUMENTS}, two at a time. Then name the site that lost most of its trees.`,
  inputSchema: z.object({ question: z.string() }),
  outputSchema: z.object({ read: z.number(), site: z.number(), loss: z.number() }),
  tools: { read_report: readReport },
  limits: { maxToolInteractions: DOCUMENTS },
  // Old reports become a summary. The transcript keeps them.
  context: { strategy: 'summarise', summaryTokens: 200 },
  // With the calls of the model and of its summaries.
  budget: { cost: { amount: 2, currency: 'USD' } },
});
