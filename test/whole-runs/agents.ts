import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { z } from 'zod';
import {
  type Agent,
  type AgentDefinition,
  agentService,
  type Ctx,
  childWorkflow,
  defineAgent,
  defineContract,
  defineTool,
  type Effect,
  eventService,
  type Service,
  signalService,
  type ToolDefinition,
} from '../../agent';
import type { AnyTool } from '../../agent/define/tool-definition';
import { fixture } from '../activities/mcp/servers';
import { type Random, randomFrom } from '../determinism/random/random';
import { writeLine } from '../durability/stage/tool-log';

const input = z.object({ mark: z.string(), size: z.number().int().max(50_000).default(0) });
type Input = z.output<typeof input>;
const verdict = z.object({ sum: z.number().int(), note: z.string().optional() });

/** Milliseconds of a slow call: long enough for a worker to die in it. */
const SLOW = 150;
/** How long waits that end by themselves last: the server's clock ticks in seconds. */
const SOON = '1s';

interface Traits extends Partial<ToolDefinition<typeof input>> {
  slow?: boolean;
  fails?: true;
  undoes?: true;
}

async function work(tool: string, { mark, size }: Input, ctx: Ctx, slow: boolean): Promise<string> {
  const line = {
    run: ctx.id,
    tool: `${tool} ${mark}`.slice(0, 100),
    pid: process.pid,
    attempt: Context.current().info.attempt,
    ...(ctx.toolUseId === undefined ? {} : { toolUseId: ctx.toolUseId }),
    ...(ctx.idempotencyKey === undefined ? {} : { key: ctx.idempotencyKey }),
  };
  const dir = process.env.HOLDFAST_DURABILITY_DIR ?? '.';
  writeLine(dir, { event: 'start', ...line });
  if (slow) await delay(SLOW);
  writeLine(dir, { event: 'end', ...line });
  return `${mark.slice(0, 50)}: ${'all is well. '.repeat((4 * size) / 13)}`;
}

const toolOf = (name: string, effect: Effect, { slow = false, fails, undoes, ...more }: Traits = {}) =>
  defineTool({
    description: `${name} of a thing, ${effect}`,
    effect,
    inputSchema: input,
    execute: async (args, ctx) => {
      const done = await work(name, args, ctx, slow);
      if (fails) throw new Error(`no ${args.mark.slice(0, 50)}`);
      return done;
    },
    ...(undoes ? { undo: (args: Input, _result: unknown, ctx: Ctx) => work(`undo ${name}`, args, ctx, slow) } : {}),
    ...more,
  });

/** Names of the tools whose calls take effect at most once. */
export const ONCE = ['put', 'pay', 'lend', 'sell', 'broken', 'burn'] as const;

/** Two builds of the agents are at work at the same time. */
const isNew = process.env.HOLDFAST_BUILD === '1';

const FEW: { [name: string]: AnyTool } = {
  look: toolOf('look', 'read', isNew ? { description: 'Looks closely' } : {}),
  peek: toolOf('peek', 'read', { placement: 'inline' }),
  slow_look: toolOf('slow_look', 'read', { slow: true }),
  put: toolOf('put', 'once', { slow: true, undoes: true }),
  keep: toolOf('keep', 'idempotent', { slow: true, undoes: true, attempts: 2 }),
  pay: toolOf('pay', 'once', { approval: 'always', undoes: true }),
  lend: toolOf('lend', 'once', { approval: { expires: SOON, onExpire: 'deny' }, slow: true }),
  sell: toolOf('sell', 'once', {
    approval: { expires: SOON, onExpire: { escalate: ['role:boss'], expires: SOON }, deciders: ['role:clerk'] },
  }),
  rent: toolOf('rent', 'idempotent', { approval: { when: ({ size }) => size > 100, rememberBy: ({ mark }) => mark } }),
  line: toolOf('line', 'idempotent', { execution: 'serial' }),
  ...(isNew ? { fresh: toolOf('fresh', 'once') } : { broken: toolOf('broken', 'once', { fails: true }) }),
};

const MANY: { [name: string]: AnyTool } = {
  ...FEW,
  urgent: toolOf('urgent', 'read', { priority: 1 }),
  ...Object.fromEntries(Array.from({ length: 24 }, (_, i) => [`count_${i}`, toolOf(`count_${i}`, 'read')])),
};

const contract = (type: string) =>
  defineContract({
    type,
    description: 'How many are left',
    versions: { '1.0.0': { accepts: input, emits: { [`evt.${type}.success`]: z.looseObject({ left: z.number() }) } } },
  });
const hand = contract('hand.count');
const post = contract('post.count');
const child = defineContract({
  type: 'run.count',
  description: 'Has a workflow count what is left',
  versions: {
    '1.0.0': {
      accepts: z.object({ input }),
      emits: { 'evt.run.count.success': z.looseObject({ data: z.unknown() }) },
    },
  },
});

const OUTSIDE: { [name: string]: Service } = {
  ask: signalService(hand, '1.0.0'),
  ask_soon: signalService(hand, '1.0.0', { timeout: SOON }),
  post: eventService(post, '1.0.0', { outlet: 'post' }),
  post_soon: eventService(post, '1.0.0', { outlet: 'post', timeout: SOON }),
  pay_hand: signalService(hand, '1.0.0', { approval: 'always' }),
};

/** Tokens of the window of the model `narrow`. */
export const NARROW = 6000;

const BUDGETS: readonly NonNullable<AgentDefinition['budget']>[] = [
  { toolCalls: 4 },
  { modelCalls: 6 },
  { tokens: 25_000 },
  { cost: { amount: 0.05, currency: 'USD' } },
  { cost: { amount: 0.2, currency: 'USD' }, modelCalls: 8 },
  { deadline: '12s' },
  { time: '6s' },
  { tokens: 60_000, perExchange: { toolCalls: 3, tokens: 20_000 } },
  { perExchange: { modelCalls: 4, deadline: '8s' } },
];

/** Agents without agents, agents over them, and agents over those. */
export function wholeAgents(seed: number): { tops: Agent[]; all: Agent[] } {
  const random = randomFrom(seed);
  const leaves = Array.from({ length: 4 }, (_, i) => agentOf(`whole.leaf${i + 1}`, random, [], false));
  const mids = Array.from({ length: 4 }, (_, i) => agentOf(`whole.mid${i + 1}`, random, leaves, false));
  const tops = Array.from({ length: 16 }, (_, i) => agentOf(`whole.top${i + 1}`, random, mids, true));
  return { tops, all: [...leaves, ...mids, ...tops] };
}

function agentOf(name: string, random: Random, below: readonly Agent[], top: boolean): Agent {
  const chance = (share: number) => random.next() < share;
  const isNarrow = chance(0.3);
  const end = random.pick(
    top ? ['text', 'schema', 'completion', 'conversation', 'conversation'] : ['text', 'schema', 'completion'],
  );
  const helpers = below.length === 0 ? [] : [random.pick(below), random.pick(below)];
  const services: { [name: string]: Service } = {
    ...OUTSIDE,
    ...Object.fromEntries(
      helpers.map((agent, i) => [
        `helper${i + 1}`,
        agentService(agent, { timeout: '25s', ...(i === 1 ? { budget: { tokens: 12_000 } } : {}) }),
      ]),
    ),
    ...(below.length > 0 && chance(0.4)
      ? {
          child: childWorkflow(child, '1.0.0', {
            workflow: random.pick(below).name,
            taskQueue: 'holdfast',
            timeout: '25s',
          }),
        }
      : {}),
  };
  const definition: AgentDefinition = {
    name,
    instructions: `Work on what the user asks for. Use the tools.${isNew ? ' Be new.' : ''}`,
    toolCalls: chance(0.25) ? 'text' : 'native',
    ...(end === 'conversation' ? {} : { inputSchema: top ? z.unknown() : input }),
    ...endOf(end, random),
    ...(chance(0.3)
      ? { strategy: random.pick(['plan', { type: 'plan', approval: 'always', stepTools: 5 }] as const) }
      : {}),
    limits: { maxToolInteractions: 8, heartbeatTimeout: '2s' },
    ...(chance(0.5) ? { modelClass: 'small' } : {}),
    ...(chance(0.3) ? { tools: MANY, toolFilter: { top: 10 } } : { tools: FEW }),
    ...(chance(0.7) || below.length > 0 ? { services } : {}),
    ...(chance(0.3)
      ? { prompt: { turn: { rag: ({ turn }: { turn: number }) => rag(turn), planning: 'Think first.' } } }
      : {}),
    ...(chance(0.3) ? { mcp: { work: fixture('work-server.mjs'), line: fixture('line-server.mjs') } } : {}),
    ...(chance(0.3)
      ? {
          questions: {
            ask_question: { expires: '2s' },
            ask_number: { description: 'Asks a number', answer: z.number() },
          },
        }
      : {}),
    model: isNarrow ? random.pick([['narrow'], ['narrow', 'spare']]) : random.pick([['default'], ['default', 'spare']]),
    ...(chance(0.3) && end !== 'completion'
      ? { fallbackAnswer: end === 'schema' ? { sum: 0 } : 'No model answers.' }
      : {}),
    ...(isNarrow && chance(0.7)
      ? { context: { strategy: random.pick(['summarise', 'tool-results', 'trim'] as const), keep: 4 } }
      : {}),
    ...(chance(0.55) ? { budget: budgetOf(end, random) } : {}),
    ...(chance(0.15) ? { execution: 'serial' } : {}),
  };
  return defineAgent(definition as AgentDefinition) as Agent;
}

function budgetOf(end: string, random: Random) {
  const fits = BUDGETS.filter(({ perExchange }) => end === 'conversation' || perExchange === undefined);
  return random.pick(fits);
}

function endOf(end: string, random: Random): Partial<AgentDefinition> {
  switch (end) {
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
    default:
      return random.below(2) === 0 ? {} : { loopTools: ['ask_question'] };
  }
}

function rag(turn: number): string {
  if (turn % 3 === 2) throw new Error('The index is not there.');
  return 'The shop closes at eight.';
}

const seed = process.env.HOLDFAST_SEED;
/** What workers load. */
export const agents = seed === undefined ? [] : wholeAgents(Number(seed)).all;
