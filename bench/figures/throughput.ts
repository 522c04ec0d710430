import { type Figure, type Settings, scaled } from '../figure';
import { type Compared, measurePairs } from './measured-pairs';

const RUNS = 50;
const TURNS = 20;

export const throughput: Figure = {
  name: 'throughput',
  what: `turns a second, ${RUNS} concurrent runs of ${TURNS} turns`,
  unit: 'turns/s',
  bar: { on: 'ratio', min: 0.95 },
  measure: (settings) => throughputOf(settings, {}),
};

/** The bare loop loses as little as ours. */
export const throughputDurable: Figure = {
  name: 'throughput_durable',
  what: `turns a second, ${RUNS} concurrent runs of ${TURNS} turns, against a durable bare loop`,
  unit: 'turns/s',
  measure: (settings) => throughputOf(settings, { bare: 'durable' }),
};

/** From the first start to the last result of runs that all start at once. */
function throughputOf(settings: Settings, compared: Compared) {
  const runs = scaled(settings, RUNS);
  return measurePairs(settings, compared, async (side) => {
    const begin = performance.now();
    await Promise.all(Array.from({ length: runs }, () => side.run(TURNS)));
    return (runs * TURNS * 1000) / (performance.now() - begin);
  });
}
