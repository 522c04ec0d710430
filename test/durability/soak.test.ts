import { until } from '../until';
import { checkSixTurns, SIX_TURNS } from './stage/six-turns';
import { Stage } from './stage/stage';
import type { WorkerChild } from './stage/worker-child';

/** The number of workers to lose: about 3 s each, so the test only runs on request. */
const LOSSES = Number(process.env.HOLDFAST_SOAK ?? 0);
const RUNS_AT_ONCE = 15;

(LOSSES > 0 ? it : it.skip)(
  'completes every run while workers are killed and deployed all the time',
  async () => {
    const stage = await Stage.open();
    try {
      const names: string[] = [];
      let working = true;
      const keepRunning = async (lane: number) => {
        for (let i = 0; working; i++) {
          const name = `run-${lane}-${i}`;
          names.push(name);
          await (await stage.start(name, ...SIX_TURNS)).result();
        }
      };
      const workers: WorkerChild[] = [await stage.worker(), await stage.worker()];
      const lanes = Array.from({ length: RUNS_AT_ONCE }, (_, lane) => keepRunning(lane));
      for (let loss = 0; loss < LOSSES; loss++) {
        const victim = workers.shift() as WorkerChild;
        await until(() => stage.underWay().some(({ pid }) => pid === victim.pid), `work of ${victim.pid}`);
        if (loss % 2 === 0) await victim.kill();
        else victim.terminate();
        workers.push(await stage.worker());
      }
      working = false;
      await Promise.all(lanes);
      const { unknown, repeated, starts } = await checkSixTurns(stage, names);
      process.stdout.write(
        `${names.length} runs, ${LOSSES} workers lost, ${starts.length} calls, ${repeated} repeated, ${unknown} unknown\n`,
      );
    } finally {
      await stage.close();
    }
  },
  60_000 + LOSSES * 10_000,
);
