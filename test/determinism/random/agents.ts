import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { z } from 'zod';
import {
  type ApprovalPolicy,
  agentService,
  type Ctx,
  childWorkflow,
  defineAgent,
  defineContract,
  defineTool,
  type Effect,
  eventService,
  signalService,
} from '../../../agent';
import { fixture } from '../../activities/mcp/servers';
import { writeLine } from '../../durability/stage/tool-log';

const input = z.object({ item: z.string() });
type Item = z.output<typeof input>;

/** Milliseconds of a slow call: long enough for a worker to die in it. */
const SLOW = 150;
/** How long unanswered calls wait: the server's clock ticks in seconds. */
const SOON = '1s';

/** Writes its traces, and does nothing else. */
async function work(tool: string, { item }: Item, ctx: Ctx, time: number): Promise<string> {
  const line = {
    run: ctx.id,
    tool: `${tool} ${item}`,
    pid: process.pid,
    attempt: Context.current().info.attempt,
    ...(ctx.toolUseId === undefined ? {} : { toolUseId: ctx.toolUseId }),
  };
  const dir = process.env.HOLDFAST_DURABILITY_DIR ?? '.';
  writeLine(dir, { event: 'start', ...line });
  if (time > 0) await delay(time);
  writeLine(dir, { event: 'end', ...line });
  return `${tool} ${item}: done`;
}

interface Traits {
  effect?: Effect;
  placement?: 'inline';
  approval?: ApprovalPolicy<Item>;
  time?: number;
  fails?: true;
  undo?: true;
}

const toolOf = (name: string, { effect = 'once', time = 0, fails, undo, ...policy }: Traits) =>
  defineTool({
    description: `${name}: ${effect}`,
    inputSchema: input,
    effect,
    ...policy,
    execute: async (args, ctx) => {
      const done = await work(name, args, ctx, time);
      if (fails) throw new Error(`${name} ${args.item} failed`);
      return done;
    },
    ...(undo ? { undo: (args: Item, _result: unknown, ctx: Ctx) => work(`undo ${name}`, args, ctx, time) } : {}),
  });

/** Names of the tools with an approval policy. */
export const GATED = ['pay', 'lend', 'sell', 'burn', 'rent'] as const;
/** Names of the tools whose calls take effect at most once. */
export const ONCE = ['put', 'slow_put', 'fail', ...GATED] as const;

const tools = {
  look: toolOf('look', { effect: 'read' }),
  slow_look: toolOf('slow_look', { effect: 'read', time: SLOW }),
  peek: toolOf('peek', { effect: 'read', placement: 'inline' }),
  count: toolOf('count', { effect: 'idempotent', placement: 'inline', time: 20 }),
  keep: toolOf('keep', { effect: 'idempotent', time: SLOW, undo: true }),
  put: toolOf('put', { undo: true }),
  slow_put: toolOf('slow_put', { time: SLOW, undo: true }),
  fail: toolOf('fail', { fails: true }),
  pay: toolOf('pay', { approval: 'always' }),
  lend: toolOf('lend', { approval: { expires: SOON, onExpire: 'deny' }, time: SLOW }),
  sell: toolOf('sell', { approval: { expires: SOON, onExpire: { escalate: ['role:boss'], expires: SOON } } }),
  burn: toolOf('burn', { approval: { expires: '5s', onExpire: 'fail' } }),
  rent: toolOf('rent', { approval: { rememberBy: ({ item }) => item.slice(0, 1), when: ({ item }) => item > '2' } }),
};

const contract = (type: string) =>
  defineContract({
    type,
    description: 'How many are left',
    versions: { '1.0.0': { accepts: input, emits: { [`evt.${type}.success`]: z.looseObject({ left: z.number() }) } } },
  });
const hand = contract('hand.count');
const post = contract('post.count');
const run = defineContract({
  type: 'run.count',
  description: 'Has a workflow count what is left',
  versions: {
    '1.0.0': {
      accepts: z.object({ input }),
      emits: { 'evt.run.count.success': z.looseObject({ data: z.string() }) },
    },
  },
});

/** Works for the other agents; the model of this test needs no instructions beyond the name. */
export const helper = defineAgent({
  name: 'random.helper',
  instructions: 'random.helper',
  inputSchema: input,
  tools: { look: tools.look, peek: tools.peek, slow_look: tools.slow_look },
  services: { ask: signalService(hand, '1.0.0', { timeout: '2s' }) },
  limits: { heartbeatTimeout: '2s' as const },
});

const shared = {
  tools,
  services: {
    ask: signalService(hand, '1.0.0'),
    ask_soon: signalService(hand, '1.0.0', { timeout: SOON }),
    post: eventService(post, '1.0.0', { outlet: 'post' }),
    post_soon: eventService(post, '1.0.0', { outlet: 'post', timeout: SOON }),
    child: childWorkflow(run, '1.0.0', { workflow: 'random.helper', taskQueue: 'holdfast' }),
    helper: agentService(helper, { timeout: '20s' }),
    pay_hand: signalService(hand, '1.0.0', { approval: 'always' }),
  },
  mcp: { line: fixture('line-server.mjs') },
  questions: {
    ask_question: { expires: '2s' as const },
    ask_number: { description: 'Asks a number', answer: z.number() },
  },
  limits: { heartbeatTimeout: '2s' as const },
};

/** Works on its input, with tools of every kind. */
export const worker = defineAgent({
  name: 'random.worker',
  instructions: 'random.worker',
  loopTools: ['ask_question'],
  ...shared,
});

/** Talks with a person, and uses everything that a person can take part in. */
export const talker = defineAgent({
  name: 'random.talker',
  instructions: 'random.talker',
  model: ['default', 'spare'],
  mode: 'conversation',
  loopTools: ['ask_question', 'converse'],
  ...shared,
});
