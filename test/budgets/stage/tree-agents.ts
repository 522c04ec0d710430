import { z } from 'zod';
import { agentService, defineAgent, defineTool } from '../../../agent';

const note = defineTool({
  description: 'Notes something',
  effect: 'read',
  inputSchema: z.object({ text: z.string() }),
  execute: ({ text }) => `noted ${text}`,
});
const modelSettings = { maxTokens: 100 };
const limits = { heartbeatTimeout: '2s', maxToolInteractions: 1000 } as const;

export const left = defineAgent({ name: 'tree.left', instructions: 'child', tools: { note }, modelSettings, limits });
export const right = defineAgent({ name: 'tree.right', instructions: 'child', tools: { note }, modelSettings, limits });
export const boss = defineAgent({
  name: 'tree.boss',
  instructions: 'boss',
  services: { left: agentService(left), right: agentService(right) },
  modelSettings,
  limits,
  budget: { cost: { amount: 1, currency: 'USD' } },
});
