import type { Measured, Settings } from '../figure';
import { interleave, short, summarize } from '../pairs';
import type { Side } from '../side';
import { Stage } from '../stage';

/** Which of a stage's sides a figure compares. */
export interface Compared {
  /** Default: `ours`. */
  ours?: 'ours' | 'inline';
  /** Default: `bare`. */
  bare?: 'bare' | 'durable';
}

/**
 * Measures two sides of a new stage in turns. The first measurement of each is not counted: its code is being compiled,
 * which takes ours longer, since it has more.
 */
export async function measurePairs(
  settings: Settings,
  { ours = 'ours', bare = 'bare' }: Compared,
  measure: (side: Side) => Promise<number>,
): Promise<Measured> {
  const stage = await Stage.open(settings);
  try {
    const sides = { ours: stage[ours], bare: stage[bare] };
    await stage.warmUp(sides);
    for (const side of [sides.bare, sides.ours]) await measure(side);
    const measured = await interleave(
      settings.pairs,
      () => measure(sides.ours),
      () => measure(sides.bare),
      (pair, i) => settings.tell(`pair ${i + 1}: ours ${short(pair.ours)}, bare ${short(pair.bare)}`),
    );
    return summarize(measured);
  } finally {
    await stage.close();
  }
}
