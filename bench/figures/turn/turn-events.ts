import { type Figure, type Settings, scaled } from '../../figure';
import { type Side, sizeOf } from '../../side';
import { Stage } from '../../stage';
import { measurePairs } from '../measured-pairs';

const [FEW, MANY] = [50, 200];

export const turnEvents = eventsOf('ours', { name: 'turn_events', max: 1.0 });
/** With a tool that runs with the answer. The bare loop is unchanged. */
export const turnEventsInline = eventsOf('inline', { name: 'turn_events_inline', max: 0.5 });

/** A slope, so that the start and the end of a run do not count. */
function eventsOf(ours: 'ours' | 'inline', { name, max }: { name: string; max: number }): Figure {
  const what = `history events for each further turn (slope between ${FEW} and ${MANY} turns)`;
  return {
    name,
    what: ours === 'inline' ? `${what} with an inline tool` : what,
    unit: 'events',
    bar: { on: 'ratio', max },
    measure,
  };

  async function measure(settings: Settings) {
    const stage = await Stage.open(settings);
    const [few, many] = [scaled(settings, FEW), scaled(settings, MANY)];
    const events = async (side: Side, turns: number) => (await sizeOf((await side.run(turns)).handle)).events;
    try {
      return await measurePairs(
        settings,
        stage,
        async (side) => {
          return ((await events(side, many)) - (await events(side, few))) / (many - few);
        },
        stage[ours],
      );
    } finally {
      await stage.close();
    }
  }
}
