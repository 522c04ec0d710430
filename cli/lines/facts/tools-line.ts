import type { ToolFilterFact } from '../../../agent/protocol/facts/tool-filter-fact';

/** The text of a fact about the tools that a call offered. */
export function toolsLine({ offered, hidden, saved, ranker, problem }: ToolFilterFact): string {
  const by = ranker === undefined ? '' : `, ranked by ${ranker}`;
  const why = problem === undefined ? '' : `, since ${problem}`;
  const less = hidden === 0 ? '' : `, which saves ${saved} tokens`;
  return `${offered} of ${offered + hidden} tools offered${by}${why}${less}`;
}
