import type { AgentDefinition } from '../agent-definition';
import { isBuiltIn } from '../built-in/built-in-tools';

/** Whether an agent has a tool of this name. Which tools an MCP server has is known only when a run starts. */
export function hasTool(definition: AgentDefinition, tool: string): boolean {
  const { tools = {}, services = {}, questions = {}, loopTools = [], mcp = {} } = definition;
  const named = [tools, services, questions].some((names) => Object.hasOwn(names, tool));
  const built = loopTools.some((loop) => loop === tool) || isBuiltIn(definition, tool);
  const served = tool.includes('.') && Object.hasOwn(mcp, tool.split('.', 1)[0] ?? '');
  return named || built || served;
}
