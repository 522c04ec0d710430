import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSkill } from '../../../activities/skills/read-skill';
import { scanSkills } from '../../../activities/skills/scan-skills';
import type { ContentPart } from '../../../agent/model/message';

let base: string;
let root: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'skills-'));
  root = join(base, 'skills');
  await mkdir(root);
  await writeFile(join(base, 'secret.txt'), 'secret');
});
afterEach(() => rm(base, { recursive: true }));

async function skill(
  folder: string,
  name = folder,
  text = `---\nname: ${name}\ndescription: Use ${name}.\n---\nDo it.`,
) {
  await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, folder, 'SKILL.md'), text);
}
const scan = () => scanSkills(root, 'Agent `a.b`.skills');
const problem = () =>
  scan().then(
    () => 'none',
    (error: Error) => error.message.replaceAll(root, 'ROOT'),
  );
const text = (parts: ContentPart[]) => parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n');
const read = async (input: { [field: string]: string | number }) => {
  const skills = await scan();
  return readSkill(root, skills, input).then(text, (error: Error) => `refused: ${error.message}`);
};

test('each folder with a `SKILL.md` is a skill, sorted by name', async () => {
  await skill('z', 'pdf');
  await skill('a', 'word');
  await mkdir(join(root, 'assets'));
  await mkdir(join(root, '.git'));
  await writeFile(join(root, 'README.md'), 'x');
  expect(await scan()).toEqual([
    { name: 'pdf', description: 'Use pdf.', folder: 'z' },
    { name: 'word', description: 'Use word.', folder: 'a' },
  ]);
});

test('a skill and the files beside it are read, a folder is listed', async () => {
  await skill('pdf');
  await mkdir(join(root, 'pdf', 'forms'));
  await writeFile(join(root, 'pdf', 'forms', 'tax.md'), 'tax');
  await skill('other');
  await symlink(join(root, 'other', 'SKILL.md'), join(root, 'pdf', 'shared.md'));
  expect(await read({ skill: 'pdf' })).toBe(
    '---\nname: pdf\ndescription: Use pdf.\n---\nDo it.\n[files of this skill, for read_skill with `path`]\nforms/\nshared.md (link)',
  );
  expect(await read({ skill: 'pdf', path: 'forms' })).toBe('tax.md (3 bytes)');
  expect(await read({ skill: 'pdf', path: 'forms/tax.md' })).toBe('tax');
  expect(await read({ skill: 'pdf', path: 'forms/tax.md', offset: 1 })).toBe('ax');
  expect(await read({ skill: 'pdf', path: 'shared.md' })).toContain('name: other');
  expect(await read({ skill: 'other' })).toBe('---\nname: other\ndescription: Use other.\n---\nDo it.');
});

test('nothing outside the folder of the skill is read', async () => {
  await skill('pdf');
  await skill('other');
  const outside = 'is outside the folder that you may read';
  for (const path of ['../../secret.txt', '../other/SKILL.md', join(base, 'secret.txt'), '..']) {
    expect(await read({ skill: 'pdf', path })).toContain(outside);
  }
  const skills = await scan();
  // A link that comes later than the start of the run.
  await symlink(join(base, 'secret.txt'), join(root, 'pdf', 'late.txt'));
  await expect(readSkill(root, skills, { skill: 'pdf', path: 'late.txt' })).rejects.toThrow(outside);
  await rm(join(root, 'other'), { recursive: true });
  await symlink(base, join(root, 'other'));
  await expect(readSkill(root, skills, { skill: 'other', path: 'secret.txt' })).rejects.toThrow(outside);
});

test('the model reads which skills there are, and what is wrong with its arguments', async () => {
  await skill('pdf');
  await skill('word');
  expect(await read({ skill: 'excel' })).toBe('refused: There is no skill `excel`. The skills are: pdf, word.');
  expect(await read({ skill: 7 })).toBe('refused: Expected `skill` to be the name of a skill, got `7`.');
  expect(await read({ skill: 'pdf', path: 'x.md' })).toBe('refused: There is no `x.md`.');
  expect(await read({ skill: 'pdf', path: 7 })).toBe('refused: Expected `path` to be a string, got `7`.');
});

test.each<[string, () => Promise<unknown>, string]>([
  ['no folder', () => rm(root, { recursive: true }), 'There is no folder `ROOT`'],
  ['no skill', () => mkdir(join(root, 'assets')), '`ROOT` has no folder with a `SKILL.md`'],
  [
    'a link to a file outside',
    async () => {
      await skill('pdf');
      await symlink(join(base, 'secret.txt'), join(root, 'pdf', 'x.txt'));
    },
    'skills.pdf: The link `pdf/x.txt` leads out of the folder of the skills; replace it by a copy',
  ],
  [
    'a skill that is a link outside',
    () => symlink(base, join(root, 'pdf')),
    'skills.pdf: The link `pdf` leads out of the folder of the skills; replace it by a copy',
  ],
  [
    'a link that leads nowhere',
    async () => {
      await skill('pdf');
      await symlink(join(root, 'none'), join(root, 'pdf', 'x'));
    },
    'skills.pdf: The link `pdf/x` leads nowhere',
  ],
  [
    'a `SKILL.md` outside',
    async () => {
      await mkdir(join(root, 'pdf'));
      await symlink(join(base, 'secret.txt'), join(root, 'pdf', 'SKILL.md'));
    },
    'skills.pdf: The link `pdf/SKILL.md` leads out of the folder of the skills; replace it by a copy',
  ],
  [
    'a broken front matter',
    () => skill('pdf', 'pdf', 'x'),
    'skills.pdf/SKILL.md: Expected the file to begin with YAML between two lines of `---`',
  ],
  [
    'no description',
    () => skill('pdf', 'pdf', '---\nname: pdf\n---\n'),
    'skills.pdf/SKILL.md: Expected `description` to be a text that says when to use the skill',
  ],
  [
    'two of one name',
    async () => {
      await skill('a', 'pdf');
      await skill('b', 'pdf');
    },
    'skills.b/SKILL.md: The skill in `a` has the name `pdf`, too; choose another name',
  ],
  [
    'the name of a loop tool',
    () => skill('a', 'ask_question'),
    'The name `ask_question` is that of a tool of Holdfast; choose another name',
  ],
  [
    'the name of its own tool',
    () => skill('a', 'read_skill'),
    'The name `read_skill` is that of a tool of Holdfast; choose another name',
  ],
])('%s is refused', async (_, make, expected) => {
  await make();
  expect(await problem()).toContain(expected);
});
