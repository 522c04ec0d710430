import type { Want } from '../../../agent/leases/want';

/** A call that no person waits for, and that takes no tokens. */
export const want = (id: string, more: Partial<Want> = {}): Want => ({
  ...{ id, interactive: false, tokens: 0, waited: 0, term: 60_000 },
  ...more,
});
