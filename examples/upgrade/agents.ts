import { defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';

/** The agent as a build of the code has it. The tool tells which build runs it. */
export const deskOf = (build: string) =>
  defineAgent({
    name: 'shop.desk',
    mode: 'conversation',
    instructions: 'You answer questions about orders.',
    tools: {
      find_order: defineTool({
        description: 'Find an order',
        effect: 'read',
        inputSchema: z.object({ id: z.string() }),
        execute: ({ id }) => `Order ${id} is on its way (build ${build})`,
      }),
    },
  });

export type Desk = ReturnType<typeof deskOf>;
