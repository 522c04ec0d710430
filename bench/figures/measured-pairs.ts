import type { Measured, Settings } from '../figure';
import { interleave, short, summarize } from '../pairs';
import type { Side } from '../side';
import type { Stage } from '../stage';

/** Measures both sides of a stage in turns, after a warm-up. */
export async function measurePairs(
  { pairs, tell }: Settings,
  stage: Stage,
  measure: (side: Side) => Promise<number>,
  ours: Side = stage.ours,
): Promise<Measured> {
  const measured = await interleave(
    pairs,
    () => measure(ours),
    () => measure(stage.bare),
    (pair, i) => tell(`pair ${i + 1}: ours ${short(pair.ours)}, bare ${short(pair.bare)}`),
  );
  return summarize(measured);
}
