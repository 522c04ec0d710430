import type { Message } from '../../agent/model/message';
import type { Manifest, ToolSpec } from '../../agent/protocol/manifest';
import { needOf } from '../../agent/tool-filter/need';
import { mayBeHidden, offeredTools } from '../../agent/tool-filter/offered-tools';
import { type FilterInput, type OfferedTools, SEARCH_TOOLS } from '../../agent/tool-filter/tool-filter';
import { defined } from '../../agent/values/defined';
import { loadTokenizer } from '../model/window/count-tokens';
import { once } from '../model/window/measure-message';
import type { Rankers } from './rankers';

/** The tools of a call, and what the run is told about them. */
export interface Offer {
  tools: readonly ToolSpec[];
  told: OfferedTools;
}

/** Chooses the tools of a call. `undefined`: the agent has no filter, and all are offered. */
export async function offerTools(
  rankers: Rankers,
  { tools, toolFilter }: Pick<Manifest, 'tools' | 'toolFilter'>,
  { filter, messages, signal }: { filter: FilterInput | undefined; messages: readonly Message[]; signal?: AbortSignal },
): Promise<Offer | undefined> {
  if (toolFilter === undefined || filter === undefined) return undefined;
  const { top, ranker } = toolFilter;
  const among = (tool: ToolSpec) => mayBeHidden(tool, toolFilter);
  const need = needOf(messages, filter.opened);
  const options = { ranker, among, ...defined({ signal }) };
  const ranking = filter.ranked === undefined ? await rankers.rank(need, tools, top, options) : undefined;
  const best = new Set(filter.ranked ?? ranking?.tools.map(({ name }) => name));
  const ranked = tools.filter(({ name }) => best.has(name)).map(({ name }) => name);
  const { offered, hidden } = offeredTools(tools, { filter: toolFilter, kept: filter.kept, ranked });
  const told = {
    ranked,
    offered: offered.length,
    hidden: hidden.length,
    saved: Math.max(0, sizeOf(hidden) - sizeOf(offered.filter(({ name }) => name === SEARCH_TOOLS))),
    ...defined({ ranker: ranking?.ranker, problem: ranking?.problem }),
  };
  return { tools: offered, told };
}

/**
 * The tools of the last call, without ranking any. `undefined`: the agent has no filter, or no call has ranked them yet.
 */
export function toolsOffered(
  { tools, toolFilter }: Pick<Manifest, 'tools' | 'toolFilter'>,
  filter: FilterInput | undefined,
): ToolSpec[] | undefined {
  if (toolFilter === undefined || filter?.ranked === undefined) return undefined;
  return offeredTools(tools, { filter: toolFilter, kept: filter.kept, ranked: filter.ranked }).offered;
}

/** Tokens of the definitions of tools. Each is counted once: a worker keeps the manifests of its runs. */
function sizeOf(tools: readonly ToolSpec[]): number {
  const count = loadTokenizer();
  const text = ({ modelName: name, description, inputSchema: parameters }: ToolSpec) =>
    JSON.stringify({ type: 'function', function: { name, description, parameters } });
  return tools.reduce((sum, tool) => sum + once(tool, () => text(tool), count).tokens, 0);
}
