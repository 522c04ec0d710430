import { type Figure, scaled } from '../figure';
import { type Side, sizeOf } from '../side';
import { Stage } from '../stage';
import { measurePairs } from './measured-pairs';

const [FEW, MANY] = [50, 200];

/** A slope, so that what begins and ends a run is not in it. */
export const turnEvents: Figure = {
  name: 'turn_events',
  what: `history events for each further turn (slope between ${FEW} and ${MANY} turns)`,
  unit: 'events',
  bar: { on: 'ratio', max: 1.0 },
  async measure(settings) {
    const stage = await Stage.open(settings);
    const [few, many] = [scaled(settings, FEW), scaled(settings, MANY)];
    const events = async (side: Side, turns: number) => (await sizeOf((await side.run(turns)).handle)).events;
    try {
      return await measurePairs(settings, stage, async (side) => {
        return ((await events(side, many)) - (await events(side, few))) / (many - few);
      });
    } finally {
      await stage.close();
    }
  },
};
