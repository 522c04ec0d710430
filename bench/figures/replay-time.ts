import { Worker } from '@temporalio/worker';
import { SILENT_LOG } from '../../runtime/log';
import { installTemporalRuntime } from '../../runtime/temporal/log';
import { workflowBundle } from '../../workers/bundle/bundle';
import { type Figure, scaled } from '../figure';
import { interleave, short, summarize } from '../pairs';
import type { Side } from '../side';
import { Stage } from '../stage';

/** After about 340 turns our run goes on in a new history, and only the newest one is replayed. */
const TURNS = 300;

/** The time of `Worker.runReplayHistory`, in the process of the benchmark, after the rest of the stage has ended. */
export const replayTime: Figure = {
  name: 'replay_time',
  what: `ms to replay a history of ${TURNS} turns`,
  unit: 'ms',
  bar: { on: 'ratio', max: 1.2 },
  async measure(settings) {
    const { pairs, bundle, tell } = settings;
    const turns = scaled(settings, TURNS);
    const stage = await Stage.open(settings);
    const history = async (side: Side, length: number) => (await side.run(length)).handle.fetchHistory();
    const recorded = async (side: Side) => ({ long: await history(side, turns), short: await history(side, 1) });
    const [ours, bare] = await recordBoth(stage, recorded);
    const bundles = { ours: await workflowBundle(), bare: { codePath: bundle.codePath } };
    const replay = async (side: 'ours' | 'bare', length: 'long' | 'short') => {
      const begin = performance.now();
      await Worker.runReplayHistory({ workflowBundle: bundles[side] }, (side === 'ours' ? ours : bare)[length]);
      return performance.now() - begin;
    };
    // Only now: a Runtime without a worker keeps its process alive.
    installTemporalRuntime({ log: SILENT_LOG, shutdownSignals: [] });
    // The first replays include compilation.
    for (const side of ['ours', 'bare'] as const) await replay(side, 'long');
    const nothing = { ours: await replay('ours', 'short'), bare: await replay('bare', 'short') };
    const measured = await interleave(
      pairs,
      () => replay('ours', 'long'),
      () => replay('bare', 'long'),
      (pair, i) => tell(`pair ${i + 1}: ours ${short(pair.ours)}, bare ${short(pair.bare)}`),
    );
    const { note, ...summary } = summarize(measured);
    const events = `${ours.long.events?.length} events, bare ${bare.long.events?.length}`;
    const least = `a run of one turn takes ${short(nothing.ours)}, bare ${short(nothing.bare)}`;
    return { ...summary, note: `${note}; ${least}; ${events}` };
  },
};

async function recordBoth<T>(stage: Stage, recorded: (side: Side) => Promise<T>): Promise<[T, T]> {
  try {
    return [await recorded(stage.ours), await recorded(stage.bare)];
  } finally {
    await stage.close();
  }
}
