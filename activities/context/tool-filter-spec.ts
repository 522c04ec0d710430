import type { AgentDefinition } from '../../agent/define/agent-definition';
import { builtInTools } from '../../agent/define/built-in/built-in-tools';
import { searchTool } from '../../agent/define/built-in/search-tool';
import type { ToolChoice } from '../../agent/model/settings';
import type { UnnamedTool } from '../../agent/protocol/manifest';
import { mayBeHidden } from '../../agent/tool-filter/offered-tools';
import { DEFAULT_TOP, SEARCH_TOOLS, type ToolFilterSpec } from '../../agent/tool-filter/tool-filter';
import { defined } from '../../agent/values/defined';
import { DEFAULT_POLICY } from './default-policy';

/**
 * The tool filter of an agent with these tools; `undefined` if all of them are offered anyway.
 * @param choices tool choices of the agent and its models: a tool that is forced is always offered
 */
export function toolFilterSpec(
  agent: AgentDefinition,
  tools: readonly UnnamedTool[],
  choices: readonly (ToolChoice | undefined)[],
): ToolFilterSpec | undefined {
  // A filter that the agent did not ask for gives way to a tool of the agent with the name of its search.
  const given = agent.toolFilter ?? (agent.modelClass === 'small' && !tools.some(({ name }) => name === SEARCH_TOOLS));
  if (given === false) return undefined;
  const { top = DEFAULT_TOP, ranker, always = [] } = given === true ? {} : given;
  const forced = choices.flatMap((choice) => (typeof choice === 'object' ? choice.tool : []));
  const ofFolders = builtInTools(agent).map(({ name }) => name);
  const spec = { top, ...defined({ ranker }), always: [...new Set([...ofFolders, ...always, ...forced])] };
  return tools.filter((tool) => mayBeHidden(tool, spec)).length > top ? spec : undefined;
}

/** The tool with which the model finds the others. It only reads, and is fast enough to run with the answer. */
export function searchToolSpec(tools: readonly UnnamedTool[]): UnnamedTool {
  return { ...searchTool(tools), kind: 'internal', ...DEFAULT_POLICY, effect: 'read', placement: 'inline' };
}
