import type { ContentPart } from '../../agent/model/message';
import { badSkillName, filesBeside, noSuchSkill } from '../../agent/prompts/tools/skills';
import type { SkillSpec } from '../../agent/protocol/prompt-spec';
import { defined } from '../../agent/values/defined';
import type { JsonObject } from '../../agent/values/json';
import { type Area, listArea, PathRefused, readArea } from '../tools/files';
import { SKILL_FILE } from './scan-skills';

/**
 * Runs `read_skill`: the instructions of a skill, with the names of the files beside them, or one of those files.
 * @param root folder of all skills
 * @throws PathRefused
 */
export async function readSkill(root: string, skills: readonly SkillSpec[], input: JsonObject): Promise<ContentPart[]> {
  const area = areaOf(root, skills, input);
  const { path, offset } = input;
  const from = defined({ offset });
  if (path !== undefined && path !== null && path !== '' && path !== SKILL_FILE)
    return readArea(area, { path, ...from });
  const text = await readArea(area, { path: SKILL_FILE, ...from });
  const files = (await listArea(area)).split('\n').filter((line) => !line.startsWith(SKILL_FILE));
  return files.length === 0 ? text : [...text, { type: 'text', text: filesBeside(files.join('\n')) }];
}

function areaOf(root: string, skills: readonly SkillSpec[], { skill: name }: JsonObject): Area {
  if (typeof name !== 'string') throw new PathRefused(badSkillName(JSON.stringify(name ?? null)));
  const skill = skills.find((one) => one.name === name);
  if (skill === undefined) {
    throw new PathRefused(
      noSuchSkill(
        name,
        skills.map((one) => one.name),
      ),
    );
  }
  return { root, folder: skill.folder };
}
