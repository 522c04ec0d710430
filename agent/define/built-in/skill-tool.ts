import { READ_SKILL } from '../../prompts/tools/skills';
import type { FileTool } from './file-tools';

/** Name of the additional tool of an agent with `skills`. No skill may have it. */
export const READ_SKILL_TOOL = 'read_skill';

/** The additional tool of an agent with `skills`. It reads the folders of the skills and nothing else. */
export const SKILL_TOOLS: readonly FileTool[] = [
  {
    name: READ_SKILL_TOOL,
    description: READ_SKILL.description,
    inputSchema: {
      type: 'object',
      properties: {
        skill: { type: 'string', description: READ_SKILL.skill },
        path: { type: 'string', description: READ_SKILL.path },
        offset: { type: 'integer', minimum: 0 },
      },
      required: ['skill'],
      additionalProperties: false,
    },
  },
];
