import type { Fact } from '../agent/protocol/facts/fact';

interface ToldRun {
  facts(): AsyncIterable<Fact>;
}
type FactOf<T extends Fact['type']> = Extract<Fact, { type: T }>;

/** The facts of a run that ends: all, or those of a type. */
export async function factsOf<T extends Fact['type']>(run: ToldRun, type?: T): Promise<FactOf<T>[]> {
  const facts: Fact[] = [];
  for await (const fact of run.facts()) if (type === undefined || fact.type === type) facts.push(fact);
  return facts as FactOf<T>[];
}

/** Waits for the nth fact of a type, or that satisfies a predicate. */
export async function waitForFact<T extends Fact['type']>(
  run: ToldRun,
  wanted: T | ((fact: Fact) => boolean),
  nth = 1,
): Promise<FactOf<T>> {
  const fits = typeof wanted === 'function' ? wanted : ({ type }: Fact) => type === wanted;
  let seen = 0;
  for await (const fact of run.facts()) if (fits(fact) && ++seen === nth) return fact as FactOf<T>;
  throw new Error(`The run ended with ${seen} facts of ${nth}: ${wanted}`);
}
