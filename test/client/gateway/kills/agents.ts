import { z } from 'zod';
import { type Agent, defineAgent, defineTool } from '../../../../agent';

/** Looks something up, and counts. */
const counter = defineAgent({
  name: 'kills.counter',
  mode: 'conversation',
  instructions: 'Count.',
  tools: {
    look: defineTool({
      description: 'Look something up',
      effect: 'idempotent',
      inputSchema: z.object({ id: z.string() }),
      execute: async ({ id }) => ({ id, found: true }),
    }),
  },
  // A worker that was killed is noticed soon.
  limits: { heartbeatTimeout: '2s' },
});

export const AGENTS = [counter] as unknown as readonly Agent[];
