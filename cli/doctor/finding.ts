import type { Capability } from './capabilities';

/** One line of the doctor's report. `missing` prevents agents from running; a `note` does not. */
export interface Finding {
  state: 'ok' | 'missing' | 'note';
  what: string;
  found: string;
  /** What to do about it. */
  todo?: string;
  /** Of a model that was called: what works with it. */
  capabilities?: Capability[];
}

export type Tell = (finding: Finding) => void;
