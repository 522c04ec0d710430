import { type Figure, scaled } from '../../figure';
import { Stage } from '../../stage';
import { measurePairs } from '../measured-pairs';

const TURNS = 200;

/** From the call that starts the run to its result, which includes pinning the agent and the last answer. */
export const turnTime: Figure = {
  name: 'turn_time',
  what: `ms a turn at ${TURNS} turns, one run`,
  unit: 'ms',
  bar: { on: 'ratio', max: 1.05 },
  async measure(settings) {
    const stage = await Stage.open(settings);
    try {
      await stage.warmUp();
      const turns = scaled(settings, TURNS);
      return await measurePairs(settings, stage, async (side) => (await side.run(turns)).ms / turns);
    } finally {
      await stage.close();
    }
  },
};
