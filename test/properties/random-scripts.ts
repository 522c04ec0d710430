import fc from 'fast-check';
import { z } from 'zod';
import { defineAgent, defineTool, type Effect } from '../../agent';
import { fixture } from '../activities/mcp/servers';
import type { ModelReply } from '../kit/model-reply';

/** One call of a random answer. `lost` is a tool that does not exist. */
interface RandomCall {
  tool: 'look' | 'quick' | 'put' | 'pay' | 'line_ask' | 'lost';
  size: number;
  /** What is wrong with it. */
  fault: 'none' | 'throws' | 'arguments' | 'json';
}

export interface RandomTurn {
  text: string;
  reasoning: string;
  calls: RandomCall[];
}

const input = z.object({ size: z.number(), fails: z.boolean(), mark: z.string() });

const tool = (effect: Effect, placement: 'activity' | 'inline' = 'activity') =>
  defineTool({
    description: `Gives a text of some size; ${effect}`,
    effect,
    placement,
    inputSchema: input,
    execute: ({ size, fails, mark }) => {
      if (fails) throw new Error(`${mark} failed`);
      return mark.repeat(Math.ceil(size / mark.length)).slice(0, size);
    },
  });

export const agent = defineAgent({
  name: 'property.agent',
  instructions: 'Do what the script says.',
  tools: { look: tool('read'), quick: tool('read', 'inline'), put: tool('idempotent'), pay: tool('once') },
  mcp: { line: fixture('line-server.mjs') },
  // Results stay whole, so that large ones are transported in full.
  limits: { maxResultChars: 400_000 },
});

const KB = 1000;
/** Mostly small; some over the limit of inline results or of a delta, and in sum over that of a page. */
const size = fc.oneof(
  { weight: 5, arbitrary: fc.nat({ max: 2 * KB }) },
  { weight: 2, arbitrary: fc.integer({ min: 60 * KB, max: 90 * KB }) },
  { weight: 1, arbitrary: fc.integer({ min: 250 * KB, max: 300 * KB }) },
);
const randomCall: fc.Arbitrary<RandomCall> = fc.record({
  tool: fc.constantFrom('look', 'quick', 'quick', 'put', 'pay', 'line_ask', 'lost'),
  size,
  fault: fc.oneof(
    { weight: 6, arbitrary: fc.constant('none' as const) },
    { weight: 2, arbitrary: fc.constantFrom('throws' as const, 'arguments' as const, 'json' as const) },
  ),
});
const said = fc.oneof(
  fc.constant(''),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constant('word '.repeat(9000)),
);

/** Turns that call tools; an answer that is a text ends the script. */
export const randomScript: fc.Arbitrary<RandomTurn[]> = fc.array(
  fc.record({
    text: said,
    reasoning: fc.string({ maxLength: 20 }),
    calls: fc.array(randomCall, { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** The answers of a script as the model gives them, the last one included. */
export function repliesOf(script: readonly RandomTurn[]): ModelReply[] {
  return [
    ...script.map(({ text, reasoning, calls }, turn) => ({
      chunkSize: 20_000,
      ...(text === '' ? {} : { text }),
      ...(reasoning === '' ? {} : { reasoning }),
      calls: calls.map((call, i) => ({
        name: call.tool,
        id: `id-${turn}-${i}`,
        arguments: argumentsOf(call, `${turn}.${i} `),
      })),
    })),
    { text: 'done' },
  ];
}

function argumentsOf({ size, fault }: RandomCall, mark: string) {
  if (fault === 'json') return `{"size": ${size}, "mark"`;
  return { size: fault === 'arguments' ? 'large' : size, fails: fault === 'throws', mark };
}
