import type { AgentDefinition } from '../../agent/define/agent-definition';
import { READ_SKILL_TOOL } from '../../agent/define/built-in/skill-tool';
import type { ContentPart } from '../../agent/model/message';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import type { ToolSpec } from '../../agent/protocol/manifest';
import type { SkillSpec } from '../../agent/protocol/prompt-spec';
import type { JsonObject } from '../../agent/values/json';
import { readSkill } from '../skills/read-skill';
import { PathRefused, runFileTool } from './files';

type BuiltInWork = (input: JsonObject) => Promise<ContentPart[] | ToolOutcome>;

/** How a tool of an agent's folders is run; `undefined` if the agent no longer has the folder. */
export function builtInWork(
  { files, skills: folder }: AgentDefinition,
  { name }: ToolSpec,
  skills: readonly SkillSpec[] = [],
): BuiltInWork | undefined {
  if (folder !== undefined && name === READ_SKILL_TOOL)
    return pathWork((input) => readSkill(folder.root, skills, input));
  return files === undefined ? undefined : pathWork((input) => runFileTool(files.root, name, input));
}

/** The model reads why a path was refused. */
function pathWork(read: (input: JsonObject) => Promise<ContentPart[]>): BuiltInWork {
  return async (input) => {
    try {
      return await read(input);
    } catch (error) {
      if (error instanceof PathRefused) return errorOutcome('ToolFailed', error.message);
      throw error;
    }
  };
}
