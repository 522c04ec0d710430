import { type Figure, scaled } from '../../figure';
import { short } from '../../pairs';
import { type Side, sizeOf } from '../../side';
import { Stage } from '../../stage';

/** The bytes of a turn are the difference between the two runs of each pair. */
const EARLY = [50, 100] as const;
const LATE = [350, 400] as const;

/** Bytes do not depend on the machine, so there is one measurement of each. */
export const turnBytesGrowth: Figure = {
  name: 'turn_bytes_growth',
  what: `history bytes that a turn adds at ${LATE[1]} turns over those at ${EARLY[1]}`,
  unit: '×',
  bar: { on: 'value', max: 1.02 },
  async measure(settings) {
    const stage = await Stage.open(settings);
    const bytes = async (side: Side, turns: number) => (await sizeOf((await side.run(turns)).handle)).bytes;
    const slope = async (side: Side, couple: readonly [number, number]) => {
      const [few, many] = [scaled(settings, couple[0]), scaled(settings, couple[1])];
      return ((await bytes(side, many)) - (await bytes(side, few))) / (many - few);
    };
    const growth = async (side: Side) => {
      const [early, late] = [await slope(side, EARLY), await slope(side, LATE)];
      return { early, late, growth: late / early };
    };
    try {
      const ours = await growth(stage.ours);
      const bare = await growth(stage.bare);
      const note = `bytes a turn: ours ${short(ours.early)} then ${short(ours.late)}, bare ${short(bare.early)} then ${short(bare.late)}`;
      return { value: ours.growth, bare: bare.growth, ratio: ours.growth / bare.growth, note };
    } finally {
      await stage.close();
    }
  },
};
