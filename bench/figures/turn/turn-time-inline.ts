import { type Figure, scaled } from '../../figure';
import { Stage } from '../../stage';
import { measurePairs } from '../measured-pairs';

const TURNS = 200;

/** A tool that may run where the model call runs. The bare loop is the same as in turn_time. */
export const turnTimeInline: Figure = {
  name: 'turn_time_inline',
  what: `ms a turn at ${TURNS} turns with an inline tool, one run`,
  unit: 'ms',
  bar: { on: 'ratio', max: 0.65 },
  async measure(settings) {
    const stage = await Stage.open(settings);
    try {
      await stage.warmUp();
      await stage.inline.run(30);
      const turns = scaled(settings, TURNS);
      const measure = async (side: typeof stage.inline) => (await side.run(turns)).ms / turns;
      return await measurePairs(settings, stage, measure, stage.inline);
    } finally {
      await stage.close();
    }
  },
};
