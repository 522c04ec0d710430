import { type Figure, scaled } from '../figure';
import { Stage } from '../stage';
import { measurePairs } from './measured-pairs';

const RUNS = 50;
const TURNS = 20;

/** From the first start to the last result of runs that all start at once. */
export const throughput: Figure = {
  name: 'throughput',
  what: `turns a second, ${RUNS} concurrent runs of ${TURNS} turns`,
  unit: 'turns/s',
  bar: { on: 'ratio', min: 0.95 },
  async measure(settings) {
    const stage = await Stage.open(settings);
    const runs = scaled(settings, RUNS);
    try {
      await stage.warmUp();
      return await measurePairs(settings, stage, async (side) => {
        const begin = performance.now();
        await Promise.all(Array.from({ length: runs }, () => side.run(TURNS)));
        return (runs * TURNS * 1000) / (performance.now() - begin);
      });
    } finally {
      await stage.close();
    }
  },
};
