import fc from 'fast-check';
import {
  agentService,
  childWorkflow,
  defineAgent,
  defineTool,
  type Effect,
  eventService,
  signalService,
} from 'holdfast';
import { z } from 'zod';
import type { JsonObject } from '../../agent/values/json';
import { fixture } from '../activities/mcp/servers';
import { plain, stock } from '../services/stage';

/** What the tools of these agents have done. */
export const ran: { run: string; toolUseId: string; tool: string; mark: string }[] = [];

const mark = z.object({ mark: z.string(), ms: z.number().default(0) });
const working = (name: string, effect: Effect, more: object = {}) =>
  defineTool({
    description: name,
    effect,
    inputSchema: mark,
    ...more,
    execute: async ({ mark, ms }, { id, toolUseId = '', signal }) => {
      const again = ran.some((one) => one.run === id && one.toolUseId === toolUseId);
      ran.push({ run: id, toolUseId, tool: name, mark });
      if (name === 'hangs') {
        await new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
      }
      await new Promise((done) => setTimeout(done, ms));
      if (name === 'throws' || (name === 'put' && !again)) throw new Error(`no ${mark}`);
      return `${name} ${mark}`;
    },
  });

const child = (workflow: string) => childWorkflow(stock, '1.0.0', { workflow, taskQueue: 'stock' });
export const mate = defineAgent({
  name: 'fifty.mate',
  inputSchema: z.object({ sku: z.string() }),
  instructions: 'mate',
});
export const agent = defineAgent({
  name: 'fifty.calls',
  instructions: 'many',
  tools: {
    look: working('look', 'read'),
    pay: working('pay', 'once'),
    put: working('put', 'idempotent', { attempts: 2 }),
    line: working('line', 'once', { execution: 'serial' }),
    throws: working('throws', 'once'),
    hangs: working('hangs', 'read', { timeout: '1s' }),
    gated: working('gated', 'once', { approval: 'always' }),
    brief: working('brief', 'once', { approval: { expires: '3s' } }),
  },
  mcp: { work: fixture('work-server.mjs') },
  services: {
    child: child('answers'),
    broken: child('fails'),
    mate: agentService(mate),
    ask: signalService(plain, '1.0.0'),
    hurry: signalService(plain, '1.0.0', { timeout: '3s' }),
    post: eventService(plain, '1.0.0', { outlet: 'post' }),
  },
});

interface Kind {
  /** What the model calls. */
  name: string;
  /** The arguments of call `n`; default `mark` and `ms`. */
  args?: (n: number) => JsonObject | string;
  /** What the model must be told. It names the call wherever possible. */
  told: (n: number) => unknown;
  /** What happens from outside: a service answers, a person decides. */
  outside?: 'answer' | 'error' | 'late' | 'approve' | 'deny' | 'edit' | 'expire';
}

const sku = (n: number): JsonObject => ({ sku: `${n}` });
const says = (pattern: string) => expect.stringMatching(new RegExp(pattern));
const works = (name: string): Kind => ({ name, told: (n) => `${name} ${n}` });

export const KINDS = {
  look: works('look'),
  pay: works('pay'),
  put: works('put'),
  line: works('line'),
  throws: { name: 'throws', told: (n) => says(`^ToolFailed: .*no ${n}\\b`) },
  hangs: { name: 'hangs', told: () => says('^ToolTimedOut: `hangs`') },
  lost: { name: 'nowhere', told: () => says('^UnknownTool: ') },
  wrong: { name: 'pay', args: (n) => ({ mark: { n } }), told: () => says('^InvalidArguments: ') },
  json: { name: 'pay', args: (n) => `mark is ${n}`, told: () => says('^InvalidJson: ') },
  mcp: { name: 'work_take', told: (n) => `take ${n}` },
  mcpFails: {
    name: 'work_put',
    args: (n) => ({ mark: `${n}`, fails: true }),
    told: (n) => says(`^ToolFailed: .*no ${n}\\b`),
  },
  child: { name: 'child', args: sku, told: (n) => says(`"sku":"${n}"`) },
  broken: { name: 'broken', args: sku, told: (n) => says(`^ServiceFailed: .*there is no ${n}\\b`) },
  mate: { name: 'mate', args: sku, told: (n) => `mate of ${n}` },
  ask: { name: 'ask', args: sku, told: (n) => `{"left":${n}}`, outside: 'answer' },
  askFails: { name: 'ask', args: sku, told: (n) => says(`^ServiceFailed: .*no ${n}$`), outside: 'error' },
  post: { name: 'post', args: sku, told: (n) => `{"left":${n}}`, outside: 'answer' },
  postFails: { name: 'post', args: sku, told: (n) => says(`^ServiceFailed: .*no ${n}$`), outside: 'error' },
  hurry: { name: 'hurry', args: sku, told: () => says('^ServiceTimedOut: `hurry`'), outside: 'late' },
  approved: { name: 'gated', told: (n) => `gated ${n}`, outside: 'approve' },
  denied: { name: 'gated', told: (n) => says(`^Denied: .*not ${n}$`), outside: 'deny' },
  edited: { name: 'gated', told: (n) => says(`ann changed .*"${n} edited".*gated ${n} edited$`), outside: 'edit' },
  expired: { name: 'brief', told: () => says('^ApprovalExpired: '), outside: 'expire' },
} as const satisfies { [kind: string]: Kind };

export const kindOf = (kind: RandomCall['kind']): Kind => KINDS[kind];

export interface RandomCall {
  kind: keyof typeof KINDS;
  ms: number;
  /** The order in which people and services act. */
  rank: number;
  /** The answer or decision is sent twice. */
  double: boolean;
  /** Before it, the same is sent for a call that does not exist. */
  stranger: boolean;
}

/** The calls of one answer. The first is a service, so that its answer can be the last. */
export const randomBatch = (size: number): fc.Arbitrary<RandomCall[]> =>
  fc
    .array(
      fc.record({
        kind: fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[])),
        ms: fc.nat({ max: 200 }),
        rank: fc.nat(),
        double: fc.boolean(),
        stranger: fc.boolean(),
      }),
      { minLength: size, maxLength: size },
    )
    .map((all) => all.map((one, i) => (i === 0 ? { ...one, kind: 'ask', double: false } : one)));

/** Call `n`, from 1, as the model makes it. */
export function callOf({ kind, ms }: RandomCall, n: number): [name: string, args: JsonObject | string] {
  const { name, args } = kindOf(kind);
  return [name, args?.(n) ?? { mark: `${n}`, ms }];
}
