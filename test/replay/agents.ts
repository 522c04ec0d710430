import { join } from 'node:path';
import { z } from 'zod';
import { agentService, defineAgent, defineContract, defineTool, eventService, signalService } from '../../agent';
import { FIXTURES } from '../sources';

const lookup = defineTool({
  description: 'Find an order',
  effect: 'read',
  inputSchema: z.object({ id: z.string() }),
  execute: ({ id }) => ({ order: id }),
});
const broken = defineTool({
  description: 'Always fails',
  effect: 'idempotent',
  inputSchema: z.object({}),
  execute: () => {
    throw new Error('the printer is on fire');
  },
});
const urgent = defineTool({
  description: 'Goes first',
  effect: 'read',
  priority: 2,
  inputSchema: z.object({}),
  execute: () => 'first',
});
const pay = defineTool({
  description: 'Pays, and never says so',
  effect: 'once',
  timeout: '100ms',
  inputSchema: z.object({ amount: z.number() }),
  execute: () => new Promise<string>(() => undefined),
});
const wait = defineTool({
  description: 'Waits until it is told to stop',
  effect: 'read',
  inputSchema: z.object({}),
  execute: (_input, { signal }) => new Promise<string>((_done, fail) => signal.addEventListener('abort', fail)),
});
const dump = defineTool({
  description: 'Returns a large text',
  effect: 'read',
  inputSchema: z.object({ kb: z.number() }),
  execute: ({ kb }) => 'lorem ipsum dolor '.repeat(Math.ceil((kb * 1024) / 18)),
});

const glance = defineTool({
  description: 'A quick look',
  effect: 'read',
  placement: 'inline',
  inputSchema: z.object({ kb: z.number() }),
  execute: ({ kb }) => 'x'.repeat(kb * 1024),
});

export const speaker = defineAgent({
  name: 'replay.speaker',
  toolCalls: 'text',
  tools: { lookup },
  loopTools: ['task_completion'],
});
export const chained = defineAgent({
  name: 'replay.chained',
  model: ['default', 'second'],
  fallbackAnswer: 'No one answers.',
  tools: { glance },
});

export const triage = defineAgent({
  name: 'replay.triage',
  instructions: 'Sort support mail.',
  inputSchema: z.object({ mail: z.string() }),
  outputSchema: z.object({ queue: z.enum(['billing', 'tech']) }),
  tools: { lookup, broken, urgent, pay },
  limits: { maxToolInteractions: 3 },
});

export const planner = defineAgent({
  name: 'replay.planner',
  model: ['default', 'second'],
  strategy: { type: 'plan', approval: 'always' },
  models: { router: 'second' },
  tools: { lookup, broken },
});

export const writer = defineAgent({
  name: 'replay.writer',
  instructions: 'Write.',
  tools: { lookup, wait, dump },
  mcp: { lines: { command: process.execPath, args: [join(FIXTURES, 'mcp/line-server.mjs')] } },
  limits: { maxResultChars: 400_000 },
});

const stock = defineContract({
  type: 'stock.check',
  versions: {
    '1.0.0': {
      accepts: z.object({ sku: z.string() }),
      emits: { 'evt.stock.check.success': z.object({ left: z.number() }) },
    },
  },
});
const refund = defineTool({
  description: 'Pays back',
  inputSchema: z.object({ amount: z.number() }),
  approval: { when: ({ amount }) => amount > 50, expires: '2s' },
  execute: ({ amount }) => `paid back ${amount}`,
});

export const asker = defineAgent({
  name: 'replay.asker',
  instructions: 'Ask.',
  tools: { lookup, refund },
  services: {
    person: signalService(stock, '1.0.0', { timeout: '1h' }),
    carrier: eventService(stock, '1.0.0', { outlet: 'post' }),
    hurried: signalService(stock, '1.0.0', { timeout: '1s' }),
    triage: agentService(triage),
  },
  replies: 'post',
});

export const talker = defineAgent({
  name: 'replay.talker',
  mode: 'conversation',
  instructions: 'Talk.',
  loopTools: ['ask_question', 'converse'],
  questions: { ask_number: { description: 'Ask for a number', answer: z.number().int(), expires: '1d' } },
  idle: '7d',
  tools: {
    lookup: defineTool({ description: 'Look', inputSchema: z.object({}), effect: 'read', execute: () => 'seen' }),
    note: defineTool({
      description: 'Note',
      inputSchema: z.object({ text: z.string() }),
      execute: ({ text }) => ({ noted: text }),
      undo: (_args, result) => `${result.noted} struck out`,
    }),
    wait: defineTool({
      description: 'Wait',
      inputSchema: z.object({}),
      effect: 'read',
      execute: (_, { signal }) =>
        new Promise((_done, fail) => signal.addEventListener('abort', () => fail(new Error('stop')))),
    }),
  },
});
