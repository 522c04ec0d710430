import type { AgentDefinition } from '../agent-definition';
import { FILE_TOOLS, type FileTool } from './file-tools';
import { SKILL_TOOLS } from './skill-tool';

/** The tools that run in the worker because an agent has `files` or `skills`. */
export function builtInTools({ files, skills }: Pick<AgentDefinition, 'files' | 'skills'>): readonly FileTool[] {
  return [...(files === undefined ? [] : FILE_TOOLS), ...(skills === undefined ? [] : SKILL_TOOLS)];
}

/** Whether an agent has a tool of this name that it does not define. */
export function isBuiltIn(agent: Pick<AgentDefinition, 'files' | 'skills'>, name: string): boolean {
  return builtInTools(agent).some((tool) => tool.name === name);
}
