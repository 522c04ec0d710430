import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insideFolder } from '../../../examples/screenshots/inside-folder';

let home = '';
let root = '';
beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'holdfast-test-')));
  root = join(home, 'pictures');
  await mkdir(join(root, 'sub'), { recursive: true });
  await mkdir(join(home, 'pictures-of-others'));
  for (const file of [
    'pictures/a.png',
    'pictures/sub/b.png',
    'pictures/..c.png',
    'secret.png',
    'pictures-of-others/d.png',
  ])
    await writeFile(join(home, file), '');
  await symlink(join(home, 'secret.png'), join(root, 'out.png'));
  await symlink(join(root, 'a.png'), join(root, 'in.png'));
  await symlink(root, join(home, 'alias'));
});
afterAll(() => rm(home, { recursive: true }));

test.each([
  ['a file by its absolute path', 'pictures', '$/pictures/a.png', 'a.png'],
  ['a file by its name alone', 'pictures', 'a.png', 'a.png'],
  ['a file in a folder below', 'pictures', 'sub/b.png', 'sub/b.png'],
  ['a file whose name begins with two dots', 'pictures', '..c.png', '..c.png'],
  ['a link that stays inside', 'pictures', 'in.png', 'a.png'],
  ['a file of a folder that is itself a link', 'alias', '$/alias/a.png', 'a.png'],
])('%s is inside', async (_, folder, path, real) => {
  expect(await insideFolder(join(home, folder), path.replace('$', home))).toBe(join(root, real));
});

test.each([
  ['a file elsewhere', '$/secret.png', /^it is outside of/],
  ['a way out by dots', '../secret.png', /^it is outside of/],
  ['a folder whose name begins the same', '$/pictures-of-others/d.png', /^it is outside of/],
  ['a file elsewhere that does not exist', '/nowhere/x.png', /^it is outside of/],
  ['a link to the outside', 'out.png', /^it is a link to the outside of/],
  ['a file that does not exist', 'x.png', /^there is no such file$/],
])('%s is refused', async (_, path, problem) => {
  await expect(insideFolder(root, path.replace('$', home))).rejects.toThrow(problem);
});
