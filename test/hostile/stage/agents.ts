import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Context } from '@temporalio/activity';
import { z } from 'zod';
import { type Agent, type Ctx, defineAgent, defineTool } from '../../../agent';
import { releaseFile, writeLine } from '../../durability/stage/tool-log';
import { FIXTURES } from '../../sources';
import type { HostileInput } from '../inputs/input';
import { MCP_HTTP } from '../inputs/mcp-http';
import { MCP_STDIO } from '../inputs/mcp-stdio';
import { SCHEMAS } from '../inputs/schemas';

const dir = process.env.HOLDFAST_DURABILITY_DIR ?? '.';
const party = process.env.HOSTILE_PARTY ?? 'http://127.0.0.1:9';
const FIXTURE = join(FIXTURES, 'mcp/hostile-server.mjs');
/** Short, so that tests wait less. */
const limits = { modelTimeout: '5s', startPatience: '3s', maxResultChars: 2000 } as const;

const paying = {
  description: 'Pays, once; `hold` waits until the run is released',
  effect: 'once',
  timeout: '10m',
  inputSchema: z.object({ item: z.string(), hold: z.boolean().optional() }),
  execute: async ({ item, hold = false }: { item: string; hold?: boolean | undefined }, ctx: Ctx) => {
    const { attempt } = Context.current().info;
    writeLine(dir, { event: 'start', run: ctx.id, tool: 'pay', pid: process.pid, attempt });
    while (hold && !existsSync(releaseFile(dir, ctx.id))) await pause(20, undefined, { signal: ctx.signal });
    return `paid ${item}`;
  },
} as const;

const take = defineTool({
  description: 'Takes what it is given',
  effect: 'read',
  inputSchema: z.looseObject({ item: z.string() }),
  execute: ({ item }) => {
    if ('polluted' in {}) throw new Error('Object.prototype is polluted');
    return item.startsWith('pay') ? item : `took ${item.length}`;
  },
});

const tick = defineTool({
  description: 'Takes a moment',
  effect: 'read',
  inputSchema: z.object({ n: z.number() }),
  execute: ({ n }) => `tick ${n}`,
});

const withServer = (
  surface: string,
  { name, patient }: HostileInput,
  server: { command: string; args: string[] } | { url: string },
): Agent =>
  defineAgent({
    name: `hostile.${surface}.${name}`,
    model: 'hostile',
    instructions: 'Do what the script says.',
    mcp: { s: { ...server, timeout: patient ? '60s' : '2s', startTimeout: '10s' } },
    limits,
  });

export const innocent = defineAgent({
  name: 'innocent.clerk',
  model: 'innocent',
  instructions: 'Do what the script says.',
  tools: { pay: defineTool(paying), tick },
  limits: { maxToolInteractions: 100_000 },
});

export const guest = defineAgent({
  name: 'hostile.guest',
  model: 'hostile',
  instructions: 'Do what the script says.',
  tools: { take },
  limits,
});

/** Its call waits for a person. */
export const desk = defineAgent({
  name: 'hostile.desk',
  model: 'hostile',
  instructions: 'Do what the script says.',
  tools: { pay: defineTool({ ...paying, approval: 'always' }) },
  limits,
});

export const reader = defineAgent({
  name: 'hostile.reader',
  model: 'hostile',
  instructions: 'Do what the script says.',
  files: { root: join(dir, 'files') },
  limits: { ...limits, maxResultChars: 30_000 },
});

export const stdio = MCP_STDIO.map((input) =>
  withServer('stdio', input, { command: process.execPath, args: [FIXTURE, input.name] }),
);
export const http = MCP_HTTP.map((input) => withServer('http', input, { url: `${party}/mcp/http/${input.name}` }));
export const schemas = SCHEMAS.map((input) =>
  withServer('schema', input, { url: `${party}/mcp/schema/${input.name}` }),
);

/** The memory of a worker process after garbage collection. */
export interface HeldMemory {
  /** Bytes of the heap, and of buffers outside it. */
  used: number;
  resident: number;
}

/** Reports to the test that started this process, each time the test asks. */
function tellMemory(): void {
  process.on('message', async (message) => {
    if (message !== 'memory') return;
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    // Memory of buffers is returned one turn after the collector has found them.
    for (let i = 0; i < 4; i++) {
      collect();
      await pause(50);
    }
    const { heapUsed, external, rss } = process.memoryUsage();
    process.send?.({ used: heapUsed + external, resident: rss } satisfies HeldMemory);
  });
  process.channel?.unref();
}
// The test itself reads the agents, too.
if (process.env.HOSTILE_PARTY !== undefined) tellMemory();
