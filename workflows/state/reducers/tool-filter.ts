import type { FactBody } from '../../../agent/protocol/facts/fact';
import type { AgentState } from '../../../agent/state/state';
import { MAX_FOUND, type OfferedState, type OfferedTools, SEARCH_TOOLS } from '../../../agent/tool-filter/tool-filter';
import { defined } from '../../../agent/values/defined';
import type { Reducers } from './append';

/** Inputs about the tools that a call offers. */
export type ToolFilterInput = { type: 'offered'; offered: OfferedTools };

const NOTHING: OfferedState = { found: [], ranked: [], offered: 0, hidden: 0, saved: 0 };

/** Reducers for the tools that a call offers. */
export const toolFilterReducers: Reducers<ToolFilterInput> = {
  offered: (state, { offered: { ranked, ranker, problem, ...counts } }) => {
    const fact: FactBody = { type: 'tools.offered', turn: state.turn, ...counts, ...defined({ ranker, problem }) };
    return { state: { ...state, offered: { ...(state.offered ?? NOTHING), ranked, ...counts } }, facts: [fact] };
  },
};

/** The tools that a search has found are offered from then on. */
export function withFound(
  state: AgentState,
  { name, found = [] }: { name: string; found?: readonly string[] | undefined },
): Pick<AgentState, 'offered'> {
  if (state.manifest?.toolFilter === undefined || name !== SEARCH_TOOLS || found.length === 0) return {};
  const { offered = NOTHING } = state;
  const before = offered.found.filter((one) => !found.includes(one));
  return { offered: { ...offered, found: [...before, ...found].slice(-MAX_FOUND) } };
}
