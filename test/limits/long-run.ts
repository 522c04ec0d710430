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
  /** Turns between two measurements of the size of the history. */
  weighEvery: number;
}

export interface Figures {
  turns: number;
  msPerTurn: number;
  /** Time of the last tenth of the turns divided by that of the first. */
  drift: number;
  /** Over all histories, where the run continues as new. */
  events: number;
  bytes: number;
  histories: number;
  weighings: readonly Weighing[];
}

interface Weighing {
  turn: number;
  /** Of the history that the run was in. */
  runId: string;
  events: number;
  bytes: number;
}

/** Runs this many turns, to the end. */
export async function runTurns(kit: AgentTestEnvironment, given: LongRun): Promise<Figures> {
  const { turns, args, result, weighEvery } = given;
  const id = `long-${turns}-${randomUUID().slice(0, 8)}`;
  const asked: number[] = [];
  const weighings: Weighing[] = [];
  // Given, since the model would walk the whole transcript to compute it.
  const usage = { prompt: 1, completion: 1 };
  const step = async ({ number }: ScriptTurn) => {
    asked.push(performance.now());
    if (number % weighEvery === 0) weighings.push({ turn: number, ...(await sizeOf(kit, id)) });
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
  const runIds = [...new Set(weighings.map(({ runId }) => runId))];
  const sizes = await Promise.all(runIds.map((runId) => sizeOf(kit, id, runId)));
  return {
    turns,
    msPerTurn: time(0, turns) / turns,
    drift: time(turns - edge, turns) / time(0, edge),
    events: sizes.reduce((sum, { events }) => sum + events, 0),
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    histories: sizes.length,
    weighings,
  };
}

/** Bytes that each turn adds to its history, between each two measurements of the same history. */
export function growths({ weighings }: Figures): number[] {
  return weighings.flatMap(({ turn, runId, bytes }, index) => {
    const before = weighings[index - 1];
    return before?.runId === runId ? [(bytes - before.bytes) / (turn - before.turn)] : [];
  });
}

async function sizeOf(kit: AgentTestEnvironment, id: string, ofRun?: string): Promise<Omit<Weighing, 'turn'>> {
  const { runId, raw } = await kit.client.get(id).workflow.client.getHandle(id, ofRun).describe();
  const info = raw.workflowExecutionInfo;
  return { runId, events: Number(info?.historyLength), bytes: Number(info?.historySizeBytes) };
}

/** A text of this length that no two turns share. */
function filler(n: number, length: number): string {
  return `${n} `.padEnd(length, 'lorem ipsum dolor sit amet ');
}
