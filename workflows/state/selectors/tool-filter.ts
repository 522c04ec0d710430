import type { ToolSpec } from '../../../agent/protocol/manifest';
import type { AgentState } from '../../../agent/state/state';
import { offeredTools } from '../../../agent/tool-filter/offered-tools';
import { type FilterInput, SEARCH_TOOLS } from '../../../agent/tool-filter/tool-filter';
import { defined } from '../../../agent/values/defined';

type Filtered = Pick<AgentState, 'manifest' | 'toolTypeCounts' | 'offered' | 'opened'>;

/** Canonical names of the tools that are offered in every further call: the run has called or found them. */
export function keptTools({ manifest, toolTypeCounts, offered }: Filtered): string[] {
  const found = new Set(offered?.found);
  return (manifest?.tools ?? [])
    .map(({ name }) => name)
    .filter((name) => name !== SEARCH_TOOLS && (Object.hasOwn(toolTypeCounts, name) || found.has(name)));
}

/** Names of the tools that the model can see, as far as the last call decided; all where the agent has no filter. */
export function toolsOnOffer(state: Filtered): string[] {
  return onOffer(state).map(({ name }) => name);
}

function onOffer(state: Filtered): ToolSpec[] {
  const { manifest, offered } = state;
  const { tools = [], toolFilter: filter } = manifest ?? {};
  if (filter === undefined || offered === undefined) return [...tools];
  return offeredTools(tools, { filter, kept: keptTools(state), ranked: offered.ranked }).offered;
}

/**
 * What an activity has to know to offer tools; empty where the agent has no filter.
 * @param how.again the tools that the last call offered are offered again, instead of being ranked
 */
export function filterInput(state: Filtered, { again }: { again: boolean }): { filter?: FilterInput } {
  const { manifest, opened, offered } = state;
  if (manifest?.toolFilter === undefined) return {};
  const ranked = again ? offered?.ranked : undefined;
  return { filter: { kept: keptTools(state), opened, ...defined({ ranked }) } };
}
