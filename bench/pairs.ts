/** One measurement of ours and the following one of bare. */
export interface Pair {
  ours: number;
  bare: number;
}

export interface Summary {
  value: number;
  bare: number;
  /** Median of the ratios of the pairs: a slow phase of the machine affects both halves of a pair. */
  ratio: number;
  /** Minimum and maximum of all three. */
  note: string;
}

/**
 * Measures A B B A A B …: `n` pairs, one half after the other. What makes each measurement slower than the one before,
 * such as a server whose database grows, is for both.
 */
export async function interleave(
  n: number,
  ours: (i: number) => Promise<number>,
  bare: (i: number) => Promise<number>,
  tell: (pair: Pair, i: number) => void = () => undefined,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let i = 0; i < n; i++) {
    const first = i % 2 === 0 ? await ours(i) : undefined;
    const other = await bare(i);
    const pair = { ours: first ?? (await ours(i)), bare: other };
    pairs.push(pair);
    tell(pair, i);
  }
  return pairs;
}

/** Medians, with the range in the note. */
export function summarize(pairs: readonly Pair[]): Summary {
  const ours = pairs.map((pair) => pair.ours);
  const bare = pairs.map((pair) => pair.bare);
  const ratios = pairs.map((pair) => pair.ours / pair.bare);
  return {
    value: median(ours),
    bare: median(bare),
    ratio: median(ratios),
    note: `${pairs.length} pairs, ours ${range(ours)}, bare ${range(bare)}, ratio ${range(ratios)}`,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The smallest value that is not exceeded by the fraction `share` of all values, such as 0.95. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Minimum to maximum. */
export function range(values: readonly number[]): string {
  return `${short(Math.min(...values))}–${short(Math.max(...values))}`;
}

/** Rounds to three significant digits. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits);
}
