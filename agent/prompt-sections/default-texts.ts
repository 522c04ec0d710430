import * as textCalls from '../prompts/calls/text-calls';
import { agentLoop, callingRules, capabilities, chainOfThought, mcpSchemas, toolSchemas } from '../prompts/sections';
import { skillList } from '../prompts/tools/skills';
import type { Manifest, ToolSpec } from '../protocol/manifest';
import type { SYSTEM_SECTIONS } from './places';

type About = Pick<Manifest, 'tools' | 'completes' | 'skills'>;

/** What the model reads in a default section of the system prompt. `instructions` are those of the agent. */
export function systemText(
  name: Exclude<(typeof SYSTEM_SECTIONS)[number], 'instructions'>,
  { tools, completes, skills }: About,
): string | undefined {
  switch (name) {
    case 'agentLoop':
      return agentLoop(completes === true, tools.length > 0);
    case 'capabilities':
      return capabilities({
        tools: tools.length,
        servers: [...new Set(tools.flatMap((tool) => (tool.kind === 'mcp' ? [tool.mcp.server] : [])))],
        asks: tools.some((tool) => tool.kind === 'loop' && tool.loop.does === 'ask'),
      });
    case 'skills':
      return skills === undefined || skills.length === 0 ? undefined : skillList(skills);
    case 'chainOfThought':
      return chainOfThought();
  }
}

/** What the model reads in a default section of the turn message; `undefined` where only its place is known. */
export function turnText(
  name: string,
  { tools, toolCalls }: Pick<Manifest, 'toolCalls'> & { tools: readonly ToolSpec[] },
): string | undefined {
  const inText = toolCalls === 'text';
  switch (name) {
    case 'toolSchemas':
      return inText ? textCalls.toolSchemas(tools) : toolSchemas(tools.filter(({ kind }) => kind !== 'mcp'));
    case 'mcpSchemas':
      return inText ? textCalls.mcpSchemas(tools) : mcpSchemas(tools.filter(({ kind }) => kind === 'mcp'));
    case 'callingRules':
      if (!inText) return callingRules();
      return tools.length === 0 ? '' : textCalls.callingRules();
    default:
      return undefined;
  }
}
