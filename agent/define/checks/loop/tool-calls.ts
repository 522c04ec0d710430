import { LOCAL } from '../../../model/text-calls/local';
import type { AgentDefinition } from '../../agent-definition';
import { fail } from '../fail';

/** Checks how the model of an agent calls tools. */
export function checkToolCalls({ toolCalls, mcp = {} }: AgentDefinition, place: string): void {
  if (toolCalls !== undefined && toolCalls !== 'native' && toolCalls !== 'text') {
    fail(`${place}.toolCalls`, `Expected \`native\` or \`text\`, got \`${String(toolCalls)}\``);
  }
  if (toolCalls === 'text' && Object.hasOwn(mcp, LOCAL)) {
    fail(`${place}.mcp.${LOCAL}`, "With `toolCalls: 'text'` the agent's own tools have this name; choose another name");
  }
}
