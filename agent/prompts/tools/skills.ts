/*
 * What the model reads about the skills of an agent, beside the skills themselves.
 */

export const READ_SKILL = {
  description:
    'Read the instructions of a skill, or with `path` a file beside them. A folder is listed. A long file comes in pieces: continue with `offset`, in bytes.',
  skill: 'Name of the skill',
  path: 'Path relative to the folder of the skill. Default: its instructions',
} as const;

/** The section of the system prompt that names the skills. */
export function skillList(skills: readonly { name: string; description: string }[]): string {
  const lines = skills.map(({ name, description }) => `- ${name}: ${description}`);
  return `You have skills. When a task fits one, read it with read_skill before you start, and follow it.\n${lines.join('\n')}`;
}

export function noSuchSkill(name: string, known: readonly string[]): string {
  return `There is no skill \`${name}\`. The skills are: ${known.join(', ')}.`;
}

export function badSkillName(given: string): string {
  return `Expected \`skill\` to be the name of a skill, got \`${given}\`.`;
}

/** Follows the instructions of a skill that has other files. */
export function filesBeside(files: string): string {
  return `[files of this skill, for read_skill with \`path\`]\n${files}`;
}
