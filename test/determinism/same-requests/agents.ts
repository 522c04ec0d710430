import { z } from 'zod';
import {
  type Agent,
  agentService,
  defineAgent,
  defineContract,
  defineTool,
  signalService,
  type ToolDefinition,
} from '../../../agent';
import { fixture } from '../../activities/mcp/servers';

const input = z.object({ mark: z.string(), size: z.number(), fails: z.boolean() });
type Input = z.output<typeof input>;

const result = ({ mark, size, fails }: Input): string => {
  if (fails) throw new Error(`Nothing was found for ${mark}`);
  return `${mark}: ${'all is well, so it seems. '.repeat(Math.ceil(size / 26)).slice(0, size)}`;
};

/** A pixel, which the tools show to the model. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** On a busy machine a call must not fail for its time: the model would read that. */
const PATIENT = { timeout: '10m', heartbeatTimeout: '5m' } as const;

const tool = (description: string, more: Partial<ToolDefinition<typeof input>> = {}) =>
  defineTool({ description, inputSchema: input, execute: result, ...PATIENT, ...more });

const look = tool('Looks at a thing', { effect: 'read' });
const quick = tool('Looks at a thing quickly', { effect: 'read', placement: 'inline' });
const put = tool('Puts a thing somewhere', { undo: () => 'taken back' });
const see = tool('Shows a thing', {
  effect: 'read',
  execute: (args) => [
    { type: 'text', text: result(args) },
    { type: 'media', mediaType: 'image/png', data: PNG },
  ],
});
const urgent = tool('Looks before all else', { effect: 'read', priority: 1 });
const pay = tool('Pays for a thing', { approval: 'always' });
const rent = tool('Rents a thing', { approval: { when: ({ size }) => size > 100 } });
const tools = { look, quick, put, see, urgent };

const stock = defineContract({
  type: 'stock.count',
  description: 'Counts what is left of a thing',
  versions: { '1.0.0': { accepts: input, emits: { 'evt.stock.count.success': z.object({ left: z.number() }) } } },
});

const instructions = 'Work on what the user asks for. Use the tools.';
const verdict = z.object({ mark: z.string(), sum: z.number().int() });

const helper = defineAgent({ name: 'same.helper', instructions, inputSchema: input, tools: { look, quick } });

/** Agents without `modelClass`. Their requests hold no ids of runs and no times. */
export const AGENTS = {
  worker: defineAgent({ name: 'same.worker', instructions, tools: { ...tools, pay, rent } }),
  typed: defineAgent({ name: 'same.typed', instructions, outputSchema: verdict, tools }),
  judged: defineAgent({
    name: 'same.judged',
    instructions,
    tools: { look, put },
    outputBuilder: ({ content }) => (content.includes('sum') ? { data: content } : { error: 'Name the sum.' }),
  }),
  serial: defineAgent({
    name: 'same.serial',
    instructions,
    tools,
    execution: 'serial',
    parallelToolCalls: false,
    modelSettings: { temperature: 0.2, maxTokens: 700 },
    limits: { maxToolInteractions: 3, maxResultChars: 500 },
  }),
  doer: defineAgent({
    name: 'same.doer',
    instructions,
    tools,
    outputSchema: verdict,
    loopTools: ['ask_question', 'task_completion'],
    questions: { ask_number: { description: 'Asks for a number', answer: z.number() } },
  }),
  boss: defineAgent({
    name: 'same.boss',
    instructions,
    tools: { look },
    services: { helper: agentService(helper), stock: signalService(stock, '1.0.0') },
  }),
  mcp: defineAgent({ name: 'same.mcp', instructions, tools: { look }, mcp: { line: fixture('line-server.mjs') } }),
  bounded: defineAgent({ name: 'same.bounded', instructions, tools, budget: { toolCalls: 4 } }),
  chained: defineAgent({
    name: 'same.chained',
    instructions,
    tools,
    model: ['first', 'default'],
    fallbackAnswer: 'No model answered.',
  }),
  shown: defineAgent({
    name: 'same.shown',
    tools,
    contextBuilder: ({ input: given }) => ({
      system: `You see pictures of ${JSON.stringify(given)}.`,
      messages: [
        {
          role: 'user',
          seenCount: 1,
          content: [
            { type: 'text', text: 'This one is old.' },
            { type: 'media', mediaType: 'image/png', data: PNG },
          ],
        },
        { role: 'assistant', content: 'I see.' },
        { role: 'user', content: 'Look at the others.' },
      ],
    }),
    mediaMask: (part, seen) => (seen < 2 ? part : { type: 'text', text: `[seen ${seen} times]` }),
  }),
  trimmed: defineAgent({ name: 'same.trimmed', instructions, model: 'narrow', tools }),
  lines: defineAgent({
    name: 'same.lines',
    instructions,
    model: 'narrow',
    tools,
    context: { strategy: 'tool-results', keep: 4 },
  }),
  summed: defineAgent({
    name: 'same.summed',
    instructions,
    mode: 'conversation',
    model: 'narrow',
    tools,
    context: { strategy: 'summarise', keep: 4 },
  }),
  talker: defineAgent({
    name: 'same.talker',
    instructions,
    mode: 'conversation',
    tools: { ...tools, pay, rent },
    loopTools: ['ask_question', 'converse'],
  }),
  helper,
} satisfies { [name: string]: Agent };

export type AgentKey = keyof typeof AGENTS;

/** Tokens of the window of the model `narrow`, which some results fill. */
export const NARROW = 6000;
