import type { BareBundle } from './bare/bundle';

/** What a figure must be: the bar of DESIGN.md, "Figures". */
export interface Bar {
  on: 'value' | 'ratio';
  max?: number;
  min?: number;
}

export interface Measured {
  /** `null`: not available, and the note says why. */
  value: number | null;
  bare?: number;
  ratio?: number;
  note: string;
}

export interface Settings {
  /** Measurements of each half. */
  pairs: number;
  /** 1; less makes shorter runs, to see whether all works. The figures are then none. */
  scale: number;
  bundle: BareBundle;
  /** Told of each measurement as it comes. */
  tell(line: string): void;
}

export interface Figure {
  name: string;
  /** One line for people. */
  what: string;
  unit: string;
  bar?: Bar;
  measure(settings: Settings): Promise<Measured>;
}

/** A line of the result, as `--json` writes it. */
export interface Row {
  name: string;
  value: number | null;
  unit: string;
  bare: number | null;
  ratio: number | null;
  note: string;
}

/** A number of turns, or of anything else that makes a figure long, by the scale of this call. */
export function scaled({ scale }: Settings, n: number): number {
  return Math.max(2, Math.round(n * scale));
}

/** Whether a result keeps its bar; `undefined` where there is none, or nothing to hold against it. */
export function keeps(bar: Bar | undefined, row: Row): boolean | undefined {
  const value = bar?.on === 'ratio' ? row.ratio : row.value;
  if (bar === undefined || value === null) return undefined;
  return value <= (bar.max ?? Number.POSITIVE_INFINITY) && value >= (bar.min ?? Number.NEGATIVE_INFINITY);
}

export function barText(bar: Bar | undefined): string {
  if (bar === undefined) return '';
  const bound = bar.max === undefined ? `≥ ${bar.min}` : `≤ ${bar.max}`;
  return bar.on === 'ratio' ? `ratio ${bound}` : bound;
}
