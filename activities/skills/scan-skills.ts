import type { Dirent } from 'node:fs';
import { open, readdir, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { LOOP_TOOLS } from '../../agent/define/built-in/loop-tools';
import { READ_SKILL_TOOL } from '../../agent/define/built-in/skill-tool';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import type { SkillSpec } from '../../agent/protocol/prompt-spec';
import { fileProblem } from '../../runtime/files/file-problem';
import { isInside } from '../tools/files';
import { readFrontMatter } from './front-matter';

/** Each skill has a line in the system prompt. */
const MAX_SKILLS = 100;
/** Entries of one skill that are looked at. */
const MAX_ENTRIES = 2000;
/** Bytes of a `SKILL.md` that its front matter may take. */
const MAX_FRONT_MATTER = 16 * 1024;

export const SKILL_FILE = 'SKILL.md';

/**
 * Finds the skills of an agent: a folder for each under `root`, with a `SKILL.md`. Sorted by name, so that the system
 * prompt does not depend on the file system.
 * @param place names the agent's setting in errors
 * @throws HoldfastError `InvalidDefinition`
 */
export async function scanSkills(root: string, place: string): Promise<SkillSpec[]> {
  const real = await realpath(root).catch(() => fail(place, `There is no folder \`${root}\``));
  const entries = await readdir(real, { withFileTypes: true }).catch(() => fail(place, `\`${root}\` is not a folder`));
  const folders = entries.filter((entry) => isCandidate(entry)).map(({ name }) => name);
  if (folders.length > MAX_SKILLS)
    fail(place, `\`${root}\` has ${folders.length} folders; expected at most ${MAX_SKILLS}`);
  const found: SkillSpec[] = [];
  for (const folder of folders.sort()) {
    const skill = await readSkillFolder(real, folder, place);
    if (skill !== undefined) found.push(skill);
  }
  if (found.length === 0) fail(place, `\`${root}\` has no folder with a \`${SKILL_FILE}\``);
  checkNames(found, place);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Hidden folders belong to tools such as git. */
function isCandidate(entry: Dirent): boolean {
  return !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink());
}

async function readSkillFolder(root: string, folder: string, place: string): Promise<SkillSpec | undefined> {
  const at = `${place}.${folder}`;
  const path = join(root, folder);
  await checkLink(root, path, at);
  const text = await beginning(join(path, SKILL_FILE), at);
  if (text === undefined) return undefined;
  await checkLinks(root, path, at);
  try {
    return { ...readFrontMatter(text), folder };
  } catch (error) {
    return fail(`${at}/${SKILL_FILE}`, messageOf(error));
  }
}

/** The first bytes of a file; `undefined` if there is none. */
async function beginning(path: string, at: string): Promise<string | undefined> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    return fail(`${at}/${SKILL_FILE}`, fileProblem(error));
  });
  if (file === undefined) return undefined;
  try {
    if (!(await file.stat()).isFile()) return fail(`${at}/${SKILL_FILE}`, 'Expected a file');
    const buffer = Buffer.alloc(MAX_FRONT_MATTER);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Links are refused when they are read, too; here a person who can remove them reads of it. */
async function checkLinks(root: string, folder: string, at: string): Promise<void> {
  const folders = [folder];
  let seen = 0;
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true })) {
      if (++seen > MAX_ENTRIES) fail(at, `It has more than ${MAX_ENTRIES} files; move what is not part of the skill`);
      const path = join(next, entry.name);
      if (entry.isSymbolicLink()) await checkLink(root, path, at);
      else if (entry.isDirectory()) folders.push(path);
    }
  }
}

async function checkLink(root: string, path: string, at: string): Promise<void> {
  const target = await realpath(path).catch(() => undefined);
  const name = relative(root, path);
  if (target === undefined) fail(at, `The link \`${name}\` leads nowhere`);
  if (!isInside(root, target))
    fail(at, `The link \`${name}\` leads out of the folder of the skills; replace it by a copy`);
}

function checkNames(skills: readonly SkillSpec[], place: string): void {
  const folders = new Map<string, string>();
  for (const { name, folder } of skills) {
    const at = `${place}.${folder}/${SKILL_FILE}`;
    if (name === READ_SKILL_TOOL || LOOP_TOOLS.some((tool) => tool === name))
      fail(at, `The name \`${name}\` is that of a tool of Holdfast; choose another name`);
    const other = folders.get(name);
    if (other !== undefined) fail(at, `The skill in \`${other}\` has the name \`${name}\`, too; choose another name`);
    folders.set(name, folder);
  }
}

function fail(place: string, problem: string): never {
  throw new HoldfastError('InvalidDefinition', { place, problem });
}
