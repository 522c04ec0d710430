import { defineAgent, defineTool } from 'holdfast';
import { text } from 'holdfast/testing';
import { z } from 'zod';

const lookup = defineTool({
  description: 'Find an order',
  effect: 'read',
  inputSchema: z.object({ id: z.string() }),
  execute: ({ id }) => ({ order: id }),
});

export const triage = defineAgent({
  name: 'support.triage',
  instructions: 'Sort support mail.',
  inputSchema: z.object({ mail: z.string() }),
  outputSchema: z.object({ queue: z.enum(['billing', 'tech']) }),
  tools: { lookup },
});

export const billing = text('{"queue":"billing"}', { usage: { prompt: 40, completion: 2 } });
