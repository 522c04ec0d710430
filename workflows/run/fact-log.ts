import type { Fact, FactBody } from '../../agent/protocol/facts/fact';

/**
 * Adds facts to the log of a run: numbered without a gap after the first `before`, with the time of the workflow.
 * Returns the number of facts.
 */
export function numberFacts(log: Fact[], before: number, facts: readonly FactBody[], exchange: number): number {
  const time = Date.now();
  facts.forEach((fact, i) => {
    log.push({ ...fact, seq: before + i + 1, time, exchange });
  });
  return before + facts.length;
}
