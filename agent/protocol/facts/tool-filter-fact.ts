/** A fact about the tools that a call offered, before the run gives it its number and time. */
export interface ToolFilterFact {
  type: 'tools.offered';
  turn: number;
  /** How many tools the model saw. */
  offered: number;
  /** How many it did not see. */
  hidden: number;
  /** Tokens of definitions that were not sent, by the worker's own count. */
  saved: number;
  /** What ranked the tools. Missing: an earlier ranking applied. */
  ranker?: string;
  /** Why the agent's ranker did not rank them. */
  problem?: string;
}
