import { existsSync } from 'node:fs';
import { Context } from '@temporalio/activity';
import { z } from 'zod';
import { type Ctx, defineAgent, defineTool, type Effect } from '../../../agent';
import { releaseFile, writeLine } from './tool-log';

const dir = process.env.HOLDFAST_DURABILITY_DIR ?? '.';
const limits = { heartbeatTimeout: '2s' } as const;

/**
 * `careless`: leaves a rejected promise unhandled; `brief`: takes a moment; `wait`: waits until the run is released or
 * the signal aborts; `stubborn`: until the run is released; `block`: the same, and blocks all of its worker;
 * `block-at-end`: the same, once the signal aborts; `block-first`: blocks for 9 s, then as `wait`.
 */
const mode = z
  .enum(['quick', 'careless', 'brief', 'wait', 'stubborn', 'block', 'block-at-end', 'block-first'])
  .default('quick');
const BRIEF = 200;

async function work(tool: string, how: z.output<typeof mode>, ctx: Ctx): Promise<void> {
  const line = {
    run: ctx.id,
    tool,
    pid: process.pid,
    attempt: Context.current().info.attempt,
    ...(ctx.toolUseId === undefined ? {} : { toolUseId: ctx.toolUseId }),
    ...(ctx.idempotencyKey === undefined ? {} : { key: ctx.idempotencyKey }),
  };
  writeLine(dir, { event: 'start', ...line });
  const released = () => [ctx.id, `${ctx.id}.${ctx.toolUseId}`].some((what) => existsSync(releaseFile(dir, what)));
  const waits = how === 'wait' || how === 'stubborn' || how === 'block-first';
  if (how === 'block-first') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 9000);
  if (how === 'careless') void Promise.reject(new Error('unhandled on purpose'));
  if (how === 'brief') await new Promise((done) => setTimeout(done, BRIEF));
  const hold = () => {
    while (!released()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  };
  if (how === 'block') hold();
  if (how === 'block-at-end') {
    while (!ctx.signal.aborted && !released()) await new Promise((done) => setTimeout(done, 20));
    hold();
  }
  while (waits && !released()) {
    if (how !== 'stubborn' && ctx.signal.aborted) {
      writeLine(dir, { event: 'aborted', ...line });
      ctx.signal.throwIfAborted();
    }
    await new Promise((done) => setTimeout(done, 20));
  }
  writeLine(dir, { event: 'end', ...line });
}

const toolOf = (name: string, effect: Effect) =>
  defineTool({
    description: `A tool whose effect is ${effect}`,
    effect,
    inputSchema: z.object({ item: z.string(), mode }),
    execute: async ({ item, mode }, ctx) => {
      await work(name, mode, ctx);
      return `${name} ${item}: done`;
    },
  });

export const clerk = defineAgent({
  name: 'durability.clerk',
  instructions: 'Do what the script says.',
  tools: { look: toolOf('look', 'read'), put: toolOf('put', 'idempotent'), pay: toolOf('pay', 'once') },
  limits,
});

/** The same with an agent's default limits. */
export const teller = defineAgent({
  name: 'durability.teller',
  instructions: 'Do what the script says.',
  tools: { look: toolOf('look', 'read'), put: toolOf('put', 'idempotent'), pay: toolOf('pay', 'once') },
});

/** Goes on for long. */
export const walker = defineAgent({
  name: 'durability.walker',
  instructions: 'Do what the script says.',
  tools: { look: toolOf('look', 'read') },
  limits: { ...limits, maxToolInteractions: 1000 },
});

/** Waits in the functions around the loop. */
export const builder = defineAgent({
  name: 'durability.builder',
  inputSchema: z.object({ run: z.string(), context: mode, output: mode }),
  limits,
  contextBuilder: async ({ input, ctx }) => {
    await work('contextBuilder', input.context, ctx);
    return {
      system: 'Do what the script says.',
      messages: [{ role: 'user', content: JSON.stringify({ run: input.run, output: input.output }) }],
    };
  },
  outputBuilder: async ({ content, ctx }) => {
    // The model's text says how its answer is checked.
    await work('outputBuilder', content.includes('wait') ? 'wait' : 'quick', ctx);
    return { data: content };
  },
});
