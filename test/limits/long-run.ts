import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, text } from 'holdfast/testing';
import { z } from 'zod';
import type { ScriptTurn } from '../kit/scripted-model';

const work = defineTool({
  description: 'Returns as many characters as it is told to',
  effect: 'read',
  input: z.object({ n: z.number(), give: z.number(), text: z.string() }),
  run: ({ n, give }) => filler(n, give),
});

/** Calls its tool again and again. */
export const longRunner = defineAgent({
  name: 'limits.long-runner',
  instructions: 'Work on.',
  input: z.object({ turns: z.number() }),
  tools: { work },
  limits: { maxToolInteractions: 1100 },
});

export interface Figures {
  turns: number;
  msPerTurn: number;
  /** Time of the last tenth of the turns over that of the first. */
  drift: number;
  events: number;
  bytes: number;
}

/** Runs so many turns with `args` bytes of arguments and `result` bytes of result each, to the end of the run. */
export async function runTurns(
  kit: AgentTestEnvironment,
  { turns, args, result }: { turns: number; args: number; result: number },
): Promise<Figures> {
  const asked: number[] = [];
  // Given, since the model would walk the whole transcript to make it up.
  const usage = { prompt: 1, completion: 1 };
  const step = ({ number }: ScriptTurn) => {
    asked.push(performance.now());
    return number <= turns
      ? call('work', { n: number, give: result, text: filler(number, args) }, { chunkSize: 4096, usage })
      : text(`done after ${turns}`);
  };
  kit.model.script(...Array.from({ length: turns + 1 }, () => step));
  const run = await kit.start(longRunner, { input: { turns } });
  const { data } = await run.result();
  if (data !== `done after ${turns}`) throw new Error(`Expected the last answer, got ${JSON.stringify(data)}`);
  kit.model.assertDone();
  const { raw } = await run.workflow.describe();
  const edge = Math.floor(turns / 10);
  const time = (from: number, to: number) => (asked[to] ?? 0) - (asked[from] ?? 0);
  return {
    turns,
    msPerTurn: time(0, turns) / turns,
    drift: time(turns - edge, turns) / time(0, edge),
    events: Number(raw.workflowExecutionInfo?.historyLength),
    bytes: Number(raw.workflowExecutionInfo?.historySizeBytes),
  };
}

/** A text of this length that no two turns share. */
function filler(n: number, length: number): string {
  return `${n} `.padEnd(length, 'lorem ipsum dolor sit amet ');
}
