import { readFileSync } from 'node:fs';
import type { WorkflowHandle } from '@temporalio/client';
import { type Figure, scaled } from '../figure';
import { short } from '../pairs';
import { bareSide, oursSide, type Side } from '../side';
import { Stage } from '../stage';
import { lastText } from '../work';

const RUNS = 2000;
/** Concurrent calls: a front end for some people, not for all. */
const AT_ONCE = 50;

interface Half {
  /** Megabytes of the worker that each waiting run costs. */
  memory: number;
  /** Decisions a second, from the first to the last result. */
  decisions: number;
}

/**
 * Runs that wait for a person, all on one worker. Then all of them are decided. Bare waits for a signal without checks.
 */
export const decisions: Figure = {
  name: 'decisions',
  what: `decisions a second on ${RUNS} waiting runs, each to its result`,
  unit: '/s',
  async measure(settings) {
    const stage = await Stage.open(settings);
    const count = scaled(settings, RUNS);
    try {
      await stage.warmUp();
      const ours = await half(oursSide(stage.agents, 'bench.waiting'), count, {
        pid: stage.workers.ours.pid,
        waits: async ({ workflowId }) => (await stage.agents.get(workflowId).waiting()).approvals.length > 0,
        decide: ({ workflowId }) => stage.agents.get(workflowId).approve({ toolUseId: 't1.1' }, { by: 'ann' }),
      });
      settings.tell(`ours: ${short(ours.decisions)} decisions/s, ${short(ours.memory)} MB a waiting run`);
      const bare = await half(bareSide(stage.client, 'bareWaiting'), count, {
        pid: stage.workers.bare.pid,
        waits: (handle) => handle.query<boolean>('waits'),
        decide: (handle) => handle.signal('decide'),
      });
      const ratio = ours.decisions / bare.decisions;
      const note = `${count} runs; memory of the worker for each that waits: ours ${short(ours.memory)} MB, bare ${short(bare.memory)} MB`;
      return { value: ours.decisions, bare: bare.decisions, ratio, note };
    } finally {
      await stage.close();
    }
  },
};

interface Means {
  pid: number;
  waits(handle: WorkflowHandle): Promise<boolean>;
  decide(handle: WorkflowHandle): Promise<unknown>;
}

async function half(side: Side, count: number, { pid, waits, decide }: Means): Promise<Half> {
  const before = megabytes(pid);
  const handles: WorkflowHandle[] = [];
  await inTurns(Array.from({ length: count }), async () => void handles.push(await side.start({ turns: 1 })));
  await inTurns(handles, async (handle) => {
    while (!(await waits(handle))) await new Promise((done) => setTimeout(done, 100));
  });
  const memory = (megabytes(pid) - before) / count;
  const begin = performance.now();
  await inTurns(handles, decide);
  await inTurns(handles, async (handle) => {
    const result: unknown = await handle.result();
    const text = typeof result === 'string' ? result : (result as { data: unknown }).data;
    if (text !== lastText(1)) throw new Error(`Expected ${lastText(1)}, got ${JSON.stringify(result)}`);
  });
  return { memory, decisions: (count * 1000) / (performance.now() - begin) };
}

async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const left = all.values();
  const worker = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** The memory of a process. Unknown without /proc. */
function megabytes(pid: number): number {
  try {
    const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kb) / 1024;
  } catch {
    return Number.NaN;
  }
}
