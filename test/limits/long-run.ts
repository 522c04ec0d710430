import { randomUUID } from 'node:crypto';
import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, text } from 'holdfast/testing';
import { z } from 'zod';
import type { ScriptTurn } from '../kit/scripted-model';

const work = defineTool({
  description: 'Returns as many characters as it is told to',
  effect: 'read',
  inputSchema: z.object({ n: z.number(), give: z.number(), text: z.string() }),
  execute: ({ n, give }) => filler(n, give),
});

/** Calls its tool repeatedly. */
export const longRunner = defineAgent({
  name: 'limits.long-runner',
  instructions: 'Work on.',
  inputSchema: z.object({ turns: z.number() }),
  tools: { work },
  limits: { maxToolInteractions: 1100 },
});

export interface LongRun {
  turns: number;
  /** Bytes of arguments in each turn. */
  args: number;
  /** Bytes of result in each turn. */
  result: number;
  /** Turns at whose model call the size of the history is measured. */
  weighAt?: readonly number[];
}

export interface Figures {
  turns: number;
  msPerTurn: number;
  /** Time of the last tenth of the turns divided by that of the first. */
  drift: number;
  events: number;
  bytes: number;
  /** Bytes of history by turn, for the turns of `weighAt`. */
  weighed: ReadonlyMap<number, number>;
}

/** Runs this many turns, to the end. */
export async function runTurns(kit: AgentTestEnvironment, given: LongRun): Promise<Figures> {
  const { turns, args, result, weighAt = [] } = given;
  const id = `long-${turns}-${randomUUID().slice(0, 8)}`;
  const asked: number[] = [];
  const weighed = new Map<number, number>();
  // Given, since the model would walk the whole transcript to compute it.
  const usage = { prompt: 1, completion: 1 };
  const step = async ({ number }: ScriptTurn) => {
    asked.push(performance.now());
    if (weighAt.includes(number)) weighed.set(number, (await sizeOf(kit, id)).bytes);
    return number <= turns
      ? call('work', { n: number, give: result, text: filler(number, args) }, { chunkSize: 4096, usage })
      : text(`done after ${turns}`, { usage });
  };
  kit.model.script(...Array.from({ length: turns + 1 }, () => step));
  const run = await kit.start(longRunner, { id, input: { turns } });
  const { data } = await run.result();
  if (data !== `done after ${turns}`) throw new Error(`Expected the last answer, got ${JSON.stringify(data)}`);
  kit.model.assertDone();
  const edge = Math.floor(turns / 10);
  const time = (from: number, to: number) => (asked[to] ?? 0) - (asked[from] ?? 0);
  return {
    turns,
    msPerTurn: time(0, turns) / turns,
    drift: time(turns - edge, turns) / time(0, edge),
    ...(await sizeOf(kit, id)),
    weighed,
  };
}

/** Bytes of history that each turn adds between two measured turns. */
export function growth({ weighed }: Figures, from: number, to: number): number {
  return ((weighed.get(to) ?? 0) - (weighed.get(from) ?? 0)) / (to - from);
}

async function sizeOf(kit: AgentTestEnvironment, id: string): Promise<{ events: number; bytes: number }> {
  const { raw } = await kit.client.get(id).workflow.describe();
  const info = raw.workflowExecutionInfo;
  return { events: Number(info?.historyLength), bytes: Number(info?.historySizeBytes) };
}

/** A text of this length that no two turns share. */
function filler(n: number, length: number): string {
  return `${n} `.padEnd(length, 'lorem ipsum dolor sit amet ');
}
