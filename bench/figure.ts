import type { BareBundle } from './bare/bundle';

/** The bar that a figure must meet, from DESIGN.md, "Figures". */
export interface Bar {
  on: 'value' | 'ratio';
  max?: number;
  min?: number;
}

export interface Measured {
  /** `null`: not available. The note says why. */
  value: number | null;
  bare?: number;
  ratio?: number;
  note: string;
}

export interface Settings {
  /** Measurements of each half. */
  pairs: number;
  /** Normally 1. Less makes shorter runs, to check that everything works. The figures are then meaningless. */
  scale: number;
  bundle: BareBundle;
  /** Called with each measurement as it is made. */
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

/** A row of the result, as `--json` writes it. */
export interface Row {
  name: string;
  value: number | null;
  unit: string;
  bare: number | null;
  ratio: number | null;
  note: string;
}

/** Scales a number of turns, or of anything else that makes a figure slow, for this call. */
export function scaled({ scale }: Settings, n: number): number {
  return Math.max(2, Math.round(n * scale));
}

/** Whether a result meets its bar. `undefined` without a bar, or without a value to compare. */
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
