import { type Figure, type Settings, scaled } from '../../figure';
import { type Compared, measurePairs } from '../measured-pairs';

const TURNS = 200;

export const turnTime: Figure = {
  name: 'turn_time',
  what: `ms a turn at ${TURNS} turns, one run`,
  unit: 'ms',
  bar: { on: 'ratio', max: 1.05 },
  measure: (settings) => timeOf(settings, {}),
};

/** A tool that may run where the model call runs. The bare loop is unchanged. */
export const turnTimeInline: Figure = {
  name: 'turn_time_inline',
  what: `ms a turn at ${TURNS} turns with an inline tool, one run`,
  unit: 'ms',
  bar: { on: 'ratio', max: 0.65 },
  measure: (settings) => timeOf(settings, { ours: 'inline' }),
};

/** The bare loop loses as little as ours. */
export const turnTimeDurable: Figure = {
  name: 'turn_time_durable',
  what: `ms a turn at ${TURNS} turns, one run, against a durable bare loop`,
  unit: 'ms',
  measure: (settings) => timeOf(settings, { bare: 'durable' }),
};

/** From the call that starts the run to its result, which includes pinning the agent and the last answer. */
function timeOf(settings: Settings, compared: Compared) {
  const turns = scaled(settings, TURNS);
  return measurePairs(settings, compared, async (side) => (await side.run(turns)).ms / turns);
}
