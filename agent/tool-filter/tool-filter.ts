/** Which tools a model is offered in each turn. Agents with many tools use it. */
export interface ToolFilter {
  /**
   * How many tools are offered by similarity to what the conversation is about, from 1 to 128. Default 15. Further ones
   * are offered in any case: those that the run has called or found, those of the loop, those of `files`, and `always`.
   */
  top?: number;
  /**
   * What ranks the tools: `bm25` compares words, in the worker. Other names are aliases under `embeddings` in the
   * worker's configuration. Default: the alias `default` if the worker has it, else `bm25`.
   */
  ranker?: string;
  /** Canonical names of tools that are offered in every turn. Default: none. */
  always?: readonly string[];
}

/** A tool filter as a run has pinned it. An agent whose tools are no more than `top` has none. */
export interface ToolFilterSpec {
  /** How many tools are offered by similarity. */
  top: number;
  /** Missing: the worker decides. */
  ranker?: string;
  /** Canonical names of tools that are offered in every turn. */
  always: string[];
}

/** Source L offers the top 15, of which an embedding model finds 98 % of the tools that 67 tools are asked for. */
export const DEFAULT_TOP = 15;

/** OpenAI takes 128 tools in one request. */
export const MAX_TOP = 128;

/** The name of the ranker that compares words. It needs no configuration. */
export const BM25 = 'bm25';

/** The alias of the ranker that agents without `ranker` use, if the worker has it. */
export const DEFAULT_RANKER = 'default';

/** Name of the tool with which a model finds tools that it is not offered. */
export const SEARCH_TOOLS = 'search_tools';

/** Found tools that a run offers from then on. A model that has found more forgets the oldest. */
export const MAX_FOUND = 100;

/** What the workflow tells an activity that has to know which tools are offered. */
export interface FilterInput {
  /** Canonical names of the tools that the run has called or found. */
  kept: string[];
  /** Index of the message that opened the exchange. */
  opened: number;
  /** The tools that an earlier call offered by similarity, to be offered again. Missing: the activity ranks them. */
  ranked?: string[];
}

/** Which tools a call offered. */
export interface OfferedTools {
  /** Canonical names of those that were offered by similarity, in the order of the manifest. */
  ranked: string[];
  /** How many tools were offered, `search_tools` included. */
  offered: number;
  /** How many were not. */
  hidden: number;
  /** Tokens of the definitions that were not sent, by the worker's own count, less those of `search_tools`. */
  saved: number;
  /** What ranked them. Missing: nothing was ranked, an earlier ranking applied. */
  ranker?: string;
  /** Why the agent's ranker did not rank them. */
  problem?: string;
}

/** What a run remembers of its tool filter. */
export interface OfferedState {
  /** Canonical names of the tools that `search_tools` has found, the newest last. */
  found: string[];
  /** Those that the last call offered by similarity. */
  ranked: string[];
  /** How many tools the last call offered. */
  offered: number;
  /** How many it did not. */
  hidden: number;
  /** Tokens that this saved. */
  saved: number;
}
