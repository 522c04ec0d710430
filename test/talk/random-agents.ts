import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { z } from 'zod';
import { type Ctx, defineAgent, defineTool } from '../../agent';
import { writeLine } from '../durability/tool-log';

const input = z.object({ item: z.string() });
type Item = z.output<typeof input>;

/** Milliseconds: long enough for a worker to die in it now and then. */
const WORK = 60;

/** Does nothing but leave its traces. */
async function work(tool: string, { item }: Item, ctx: Ctx): Promise<string> {
  const line = {
    run: ctx.id,
    tool: `${tool} ${item}`,
    pid: process.pid,
    attempt: Context.current().info.attempt,
    ...(ctx.toolUseId === undefined ? {} : { toolUseId: ctx.toolUseId }),
  };
  const dir = process.env.HOLDFAST_DURABILITY_DIR ?? '.';
  writeLine(dir, { event: 'start', ...line });
  await delay(WORK);
  writeLine(dir, { event: 'end', ...line });
  return `${tool} ${item}: done`;
}

/** Talks with a person, and does all that a person may have a say in. */
export const talker = defineAgent({
  name: 'random.talker',
  mode: 'conversation',
  instructions: 'Talk.',
  limits: { heartbeatTimeout: '2s' },
  loopTools: ['ask_question', 'converse'],
  tools: {
    look: defineTool({ description: 'Looks', input, effect: 'read', run: (args, ctx) => work('look', args, ctx) }),
    put: defineTool({
      description: 'Puts',
      input,
      run: (args, ctx) => work('put', args, ctx),
      undo: (args, _result, ctx) => work('undo put', args, ctx),
    }),
    pay: defineTool({ description: 'Pays', input, approval: 'always', run: (args, ctx) => work('pay', args, ctx) }),
  },
});
