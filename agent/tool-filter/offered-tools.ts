import type { ToolSpec } from '../protocol/manifest';
import { SEARCH_TOOLS, type ToolFilterSpec } from './tool-filter';

type Filtered = Pick<ToolSpec, 'name' | 'kind'>;

/** Which tools are offered by similarity, and which in any case. */
interface Chosen {
  filter: Pick<ToolFilterSpec, 'always'>;
  /** Tools that the run has called or found. */
  kept: readonly string[];
  /** Tools that are offered by similarity. */
  ranked: readonly string[];
}

/** Whether a tool may be left out of a call: those of the loop and those of `always` may not. */
export function mayBeHidden({ name, kind }: Filtered, { always }: Pick<ToolFilterSpec, 'always'>): boolean {
  return kind !== 'loop' && name !== SEARCH_TOOLS && !always.includes(name);
}

/**
 * The tools of a call, in the order of the manifest: an equal choice gives an equal request, which a provider's cache
 * recognises. `search_tools` is among them if others are hidden.
 */
export function offeredTools<Tool extends Filtered>(
  tools: readonly Tool[],
  { filter, kept, ranked }: Chosen,
): { offered: Tool[]; hidden: Tool[] } {
  const chosen = new Set([...kept, ...ranked]);
  const isHidden = (tool: Tool) => mayBeHidden(tool, filter) && !chosen.has(tool.name);
  const hidden = tools.filter(isHidden);
  const offered = tools.filter((tool) => !isHidden(tool) && (tool.name !== SEARCH_TOOLS || hidden.length > 0));
  return { offered, hidden };
}
