import { defineAgent, defineContract, defineTool, signalService } from 'holdfast';
import { z } from 'zod';
import { NAME } from './texts';

/** Agents whose every text contains terminal control sequences. */
export const evil = defineAgent({
  name: 'evil.desk',
  description: NAME,
  mode: 'conversation',
  tools: {
    read: defineTool({
      description: NAME,
      effect: 'read',
      inputSchema: z.object({ path: z.string() }),
      execute: async (_, ctx) => {
        ctx.heartbeat({ progress: 1, message: NAME });
        return [
          { type: 'text', text: NAME },
          { type: 'media', mediaType: 'image/png', data: 'AAAA', name: NAME },
        ];
      },
    }),
    fail: defineTool({
      description: 'x',
      inputSchema: z.object({}),
      execute: () => {
        throw new Error(NAME);
      },
    }),
    pay: defineTool({
      description: 'x',
      inputSchema: z.object({ to: z.string() }),
      approval: { deciders: ['ann', NAME] },
      undo: () => NAME,
      execute: () => 'paid',
    }),
  },
  services: {
    carrier: signalService(
      defineContract({
        type: 'carrier.ask',
        description: 'x',
        versions: {
          '1.0.0': { accepts: z.object({ parcel: z.string() }), emits: { 'evt.carrier.ask.success': z.any() } },
        },
      }),
      '1.0.0',
    ),
  },
  loopTools: ['ask_question'],
  questions: {
    form: { description: 'x', answer: z.object({ [NAME]: z.string() }) },
  },
});
export const task = defineAgent({ name: 'evil.task', instructions: 'x', limits: { maxOutputAttempts: 1 } });
