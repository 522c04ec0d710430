import { type Figure, type Settings, scaled } from '../../figure';
import { type Side, sizeOf } from '../../side';
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

  function measure(settings: Settings) {
    const [few, many] = [scaled(settings, FEW), scaled(settings, MANY)];
    const events = async (side: Side, turns: number) => (await sizeOf((await side.run(turns)).handle)).events;
    return measurePairs(
      settings,
      { ours },
      async (side) => ((await events(side, many)) - (await events(side, few))) / (many - few),
    );
  }
}
