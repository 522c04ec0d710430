import { allToolsOffered, noToolFound, searchIsEmpty, toolsFound } from '../../agent/prompts/tools/search-tools';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import type { Manifest } from '../../agent/protocol/manifest';
import { offeredTools } from '../../agent/tool-filter/offered-tools';
import { type FilterInput, SEARCH_TOOLS } from '../../agent/tool-filter/tool-filter';
import type { JsonObject } from '../../agent/values/json';
import type { Rankers } from './rankers';

/** Tools that one search finds at most: each of them is offered from then on. */
const MAX_RESULTS = 10;
/** Characters of a query that count. */
const MAX_QUERY = 500;
/** Characters of a description. The whole of it comes with the next call. */
const MAX_DESCRIPTION = 200;

/** Runs `search_tools`: the tools that fit best, of those that the model does not see. */
export async function searchTools(
  rankers: Rankers,
  { tools, toolFilter }: Pick<Manifest, 'tools' | 'toolFilter'>,
  { input, filter, signal }: { input: JsonObject; filter: FilterInput | undefined; signal: AbortSignal },
): Promise<ToolOutcome> {
  const query = typeof input.query === 'string' ? input.query.trim().slice(0, MAX_QUERY) : '';
  if (query === '') return errorOutcome('InvalidArguments', searchIsEmpty(SEARCH_TOOLS));
  const { kept = [], ranked = [] } = filter ?? {};
  const { hidden } = offeredTools(tools, { filter: toolFilter ?? { always: [] }, kept, ranked });
  if (hidden.length === 0) return told(allToolsOffered());
  const among = new Set(hidden);
  const ranking = await rankers.rank(query, tools, MAX_RESULTS, {
    ranker: toolFilter?.ranker,
    among: (tool) => among.has(tool),
    signal,
  });
  const found = ranking.tools.slice(0, ranking.matches);
  if (found.length === 0) return told(noToolFound(query));
  const shown = found.map(({ modelName, description }) => ({
    modelName,
    description: description.replace(/\s+/g, ' ').trim().slice(0, MAX_DESCRIPTION),
  }));
  return { ...told(toolsFound(shown)), found: found.map(({ name }) => name) };
}

function told(text: string): ToolOutcome {
  return { content: [{ type: 'text', text }] };
}
