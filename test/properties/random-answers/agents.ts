import { type Agent, type AgentDefinition, defineAgent, defineTool, type Effect, type ToolDefinition } from 'holdfast';
import { z } from 'zod';
import { fixture } from '../../activities/mcp/servers';
import { type Random, randomFrom } from '../../determinism/random/random';

/** How often calls of effect `once` have run, by idempotency key. */
export const ranOnce = new Map<string, number>();

const input = z.object({ mark: z.string(), size: z.number().int().max(50_000).default(0) });
type Input = z.output<typeof input>;

/** The output of agents that have a schema for it. */
const verdict = z.object({ sum: z.number().int(), note: z.string().optional() });

/** `size`: characters, so that some results fill a window. */
const result = ({ mark, size }: Input) => `${mark}: ${'all is well. '.repeat(size / 13)}`;

function fail({ mark }: Input): never {
  throw new Error(`no ${mark}`);
}

const tool = (description: string, effect: Effect, more: Partial<ToolDefinition<typeof input>> = {}, work = result) =>
  defineTool({
    description,
    effect,
    inputSchema: input,
    execute: (args, { idempotencyKey }) => {
      if (effect === 'once' && idempotencyKey !== undefined)
        ranOnce.set(idempotencyKey, (ranOnce.get(idempotencyKey) ?? 0) + 1);
      return work(args);
    },
    ...more,
  });

const FEW = {
  look: tool('Looks at a thing', 'read'),
  peek: tool('Looks at a thing quickly', 'read', { placement: 'inline' }),
  put: tool('Puts a thing somewhere', 'once'),
  keep: tool('Keeps a thing', 'idempotent'),
  pay: tool('Pays for a thing', 'once', { approval: 'always' }),
  rent: tool('Rents a thing', 'idempotent', { approval: { when: ({ size }) => size > 100 } }),
  broken: tool('Is out of order', 'once', {}, fail),
};

const MANY = {
  ...FEW,
  urgent: tool('Looks before all else', 'read', { priority: 1 }),
  ...Object.fromEntries(
    Array.from({ length: 24 }, (_, i) => [`count_${i}`, tool(`Counts the things of shelf ${i}`, 'read')]),
  ),
};

const STRATEGIES: readonly AgentDefinition['strategy'][] = [
  undefined,
  'plan',
  { type: 'plan', approval: 'always', stepTools: 5 },
];
const ENDS = ['text', 'schema', 'completion', 'conversation'] as const;

/** Tokens of the window of the model `narrow`. */
export const NARROW = 6000;
/** Agents for each protocol, strategy and end. */
const OF_EACH = 2;

/** Agents of all protocols, strategies and ends. The rest of each follows from the seed. */
export function randomAgents(seed: number): Agent[] {
  const random = randomFrom(seed);
  const agents: Agent[] = [];
  for (const toolCalls of ['native', 'text'] as const)
    for (const strategy of STRATEGIES)
      for (const end of ENDS)
        for (let i = 0; i < OF_EACH; i++) {
          const name = `grammar.agent${agents.length + 1}`;
          agents.push(
            defineAgent({ name, toolCalls, ...(strategy && { strategy }), ...endOf(end, random), ...more(random) }),
          );
        }
  return agents;
}

function endOf(end: (typeof ENDS)[number], random: Random): Partial<AgentDefinition> {
  switch (end) {
    case 'text':
      return random.below(2) === 0 ? {} : { loopTools: ['ask_question'] };
    case 'schema':
      return { outputSchema: verdict, loopTools: ['ask_question'] };
    case 'completion':
      return {
        loopTools: ['ask_question', 'task_completion'],
        ...(random.below(2) === 0 ? {} : { outputSchema: verdict }),
      };
    case 'conversation':
      return {
        mode: 'conversation',
        loopTools: random.pick([['ask_question', 'converse'], ['converse'], ['converse', 'task_completion']]),
      };
  }
}

/** The part of an agent that does not decide how it works or ends. */
function more(random: Random): Partial<AgentDefinition> {
  const chance = (share: number) => random.next() < share;
  const isNarrow = chance(0.3);
  return {
    instructions: 'Work on what the user asks for. Use the tools.',
    limits: { maxToolInteractions: 8 },
    ...(chance(0.5) ? { modelClass: 'small' } : {}),
    ...(chance(0.3) ? { tools: MANY, toolFilter: { top: 10 } } : { tools: FEW }),
    ...(chance(0.4)
      ? { prompt: { turn: { rag: ({ turn }: { turn: number }) => rag(turn), planning: 'Think first.' } } }
      : {}),
    ...(chance(0.2) ? { mcp: { work: fixture('work-server.mjs') } } : {}),
    ...(isNarrow ? { model: 'narrow' } : chance(0.3) ? { model: ['default', 'spare'] } : {}),
    ...(isNarrow && chance(0.7) ? { context: { strategy: 'summarise', keep: 4 } } : {}),
    ...(chance(0.2) ? { budget: random.pick([{ toolCalls: 4 }, { modelCalls: 5 }, { tokens: 15_000 }]) } : {}),
    ...(chance(0.15) ? { execution: 'serial' } : {}),
  };
}

function rag(turn: number): string {
  if (turn % 3 === 2) throw new Error('The index is not there.');
  return 'The shop closes at eight.';
}
