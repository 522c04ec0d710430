import fc from 'fast-check';

/** Rounds after which a case that has not come up often enough is taken to be out of reach. */
const ROUNDS = 20;

/**
 * Checks a property with random values until each of the cases that it counts in `seen` has come up as often as `least`
 * says, at least for one round of `numRuns` values. A single round has too few of a rare case now and then.
 */
export function assertEveryCase<Values, Case extends string>(
  property: fc.IProperty<Values>,
  numRuns: number,
  seen: Readonly<Record<Case, number>>,
  least: Readonly<Record<Case, number>>,
): void {
  const missing = () => (Object.keys(least) as Case[]).filter((name) => seen[name] < least[name]);
  for (let round = 0; round === 0 || (missing().length > 0 && round < ROUNDS); round++)
    fc.assert(property, { numRuns });
  expect({ missing: missing(), seen }).toEqual({ missing: [], seen });
}
