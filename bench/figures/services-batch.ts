import { type Figure, scaled } from '../figure';
import { interleave, short, summarize } from '../pairs';
import { bareSide, oursSide } from '../side';
import { Stage } from '../stage';

const SERVICES = 20;

/** Two model calls with concurrent children between them. For both sides, the children run in the bare worker. */
export const servicesBatch: Figure = {
  name: 'services_batch',
  what: `ms of a run that calls ${SERVICES} child workflows in one answer`,
  unit: 'ms',
  bar: { on: 'ratio', max: 1.2 },
  async measure(settings) {
    const stage = await Stage.open(settings);
    const services = scaled(settings, SERVICES);
    const ours = oursSide(stage.agents, 'bench.services');
    const bare = bareSide(stage.client, 'bareServices');
    // Ours calls the model a second time with the results. Bare calls it twice, only for the text.
    const median = async (side: typeof ours) => {
      const times: number[] = [];
      for (let i = 0; i < 5; i++) times.push((await side.run(0, { services })).ms);
      return times.sort((a, b) => a - b)[2] ?? 0;
    };
    try {
      await stage.warmUp();
      await median(ours);
      await median(bare);
      const pairs = await interleave(
        settings.pairs,
        () => median(ours),
        () => median(bare),
        (pair, i) => settings.tell(`pair ${i + 1}: ours ${short(pair.ours)}, bare ${short(pair.bare)}`),
      );
      return summarize(pairs);
    } finally {
      await stage.close();
    }
  },
};
