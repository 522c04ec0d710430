import { defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';

/** What the tools of these tests did, in order. */
export const log: string[] = [];
/** The keys that inverses received. */
export const keys: string[] = [];
/** How many more times an inverse fails. */
export const trouble = { left: 0 };
/** Blocks inverses while it is shut. */
let opened: Promise<void> = Promise.resolve();
export function shut(): () => void {
  let open = () => {};
  opened = new Promise((resolve) => {
    open = resolve;
  });
  return open;
}

export function reset(): void {
  log.length = 0;
  keys.length = 0;
  trouble.left = 0;
  opened = Promise.resolve();
}

const name = z.object({ name: z.string() });

function place(what: string): { place: number } {
  log.push(`put ${what}`);
  return { place: log.length };
}

const put = defineTool({
  description: 'Puts something into the drawer',
  inputSchema: name,
  execute: (args) => place(args.name),
  undo: async (args, { place }, ctx) => {
    keys.push(ctx.idempotencyKey ?? '');
    log.push(`begin ${args.name}`);
    await opened;
    if (trouble.left-- > 0) throw new Error('the drawer is stuck');
    log.push(`take ${args.name} from ${place}`);
    return `took ${args.name} out again`;
  },
});

const act = (text: string) => ({ description: text, inputSchema: z.object({}), execute: () => text });

/** An agent that has something to undo, and a tool that waits for a person. */
export const drawer = defineAgent({
  name: 'test.drawer',
  instructions: 'tidy up',
  tools: {
    put,
    late: defineTool({
      ...put,
      execute: async (args) => {
        await opened;
        return place(args.name);
      },
    }),
    checked: defineTool({ ...put, approval: 'always' }),
    slow: defineTool({ ...act('slow'), timeout: 200, undo: () => new Promise(() => undefined) }),
    send: defineTool(act('sent')),
    look: defineTool({ ...act('seen'), effect: 'read' }),
    wait: defineTool({ ...act('waited'), effect: 'read', approval: 'always' }),
  },
});
