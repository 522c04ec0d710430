import type { ToolSpec } from '../../agent/protocol/manifest';
import type { RankedTool } from '../../agent/tool-filter/tool-text';

/** Compares tools with a text. */
export interface Ranker {
  /** What people read about it. */
  readonly name: string;
  /**
   * How well each tool fits, in their order: higher is better, 0 or less: it does not match. It may throw: the tools are then
   * ranked by their words.
   */
  score(query: string, tools: readonly RankedTool[], signal?: AbortSignal): Promise<readonly number[]>;
}

/** Tools in the order of their similarity to a text. */
export interface Ranking<Tool = ToolSpec> {
  /** The best first; tools that fit equally well are in the order that they were given in. */
  tools: Tool[];
  /** How many of them, from the first, match the text at all. */
  matches: number;
}

/**
 * The `n` tools that fit a text best. Tools that do not match it fill up the rest, so that a text in another language
 * does not leave a model without tools.
 */
export async function rankTools<Tool extends RankedTool>(
  query: string,
  tools: readonly Tool[],
  n: number,
  { ranker, among = () => true, signal }: { ranker: Ranker; among?: (tool: Tool) => boolean; signal?: AbortSignal },
): Promise<Ranking<Tool>> {
  const scores = await ranker.score(query, tools, signal);
  const scored = tools
    .map((tool, index) => ({ tool, index, score: scores[index] ?? 0 }))
    .filter(({ tool }) => among(tool))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, n);
  return { tools: scored.map(({ tool }) => tool), matches: scored.filter(({ score }) => score > 0).length };
}
