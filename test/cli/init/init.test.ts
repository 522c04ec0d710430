import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { init } from '../../../cli/init/init';
import { loadConfig } from '../../../runtime/config/config';
import { ROOT } from '../../sources';
import { said } from '../said';

const FILES = [
  '.gitignore',
  'README.md',
  'agents.test.ts',
  'agents.ts',
  'demo-model.ts',
  'main.ts',
  'package.json',
  'temporal.yaml',
  'tsconfig.json',
];
const TARBALL = 'vendor/holdfast-9.8.7.tgz';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-init-test-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** An installation of the package in the modules of a project, with the real template. */
function installation(resolved?: string): string {
  const modules = join(dir, 'node_modules');
  const own = join(modules, 'holdfast');
  mkdirSync(own, { recursive: true });
  // It must not be run: an installation does not have what its scripts need.
  const scripts = { prepare: 'exit 7', prepack: 'exit 7' };
  writeFileSync(join(own, 'package.json'), JSON.stringify({ name: 'holdfast', version: '9.8.7', scripts }));
  writeFileSync(join(own, 'index.js'), 'module.exports = 1;\n');
  execFileSync('cp', ['-r', join(ROOT, 'template'), own]);
  const packages = { 'node_modules/holdfast': { resolved } };
  if (resolved !== undefined) writeFileSync(join(modules, '.package-lock.json'), JSON.stringify({ packages }));
  return own;
}

const read = (...path: string[]) => readFileSync(join(dir, ...path), 'utf8');

describe('a new project', () => {
  it('has the files of the template, and the packed package', async () => {
    const { code, out } = await said(() => init(join(dir, 'my-agent'), installation()));
    expect([code, readdirSync(join(dir, 'my-agent')).sort()]).toEqual([0, [...FILES, 'vendor'].sort()]);
    for (const file of [...FILES, TARBALL]) expect(out).toContain(`  ${file}\n`);
    expect(out).toContain(`  cd ${join(dir, 'my-agent')}\n  npm install\n  npm start `);
    expect(JSON.parse(read('my-agent/package.json'))).toMatchObject({
      name: 'my-agent',
      dependencies: { holdfast: `file:${TARBALL}` },
    });
    const packed = execFileSync('tar', ['-tf', join(dir, 'my-agent', TARBALL)], { encoding: 'utf8' });
    expect(packed).toContain('package/template/agents.ts');
  });

  it.each([
    ['the registry', 'https://registry.example/holdfast/-/holdfast-9.8.7.tgz', '9.8.7'],
    ['a tarball', 'file:../holdfast-9.8.7.tgz', `file:${TARBALL}`],
  ])('depends on the package as this installation does, from %s', async (_, resolved, version) => {
    await said(() => init(join(dir, 'my-agent'), installation(resolved)));
    expect(JSON.parse(read('my-agent/package.json')).dependencies.holdfast).toBe(version);
    expect(existsSync(join(dir, 'my-agent/vendor'))).toBe(version !== '9.8.7');
  });

  it('goes into an empty folder, or an empty repository', async () => {
    const own = installation();
    for (const name of ['empty', 'repository']) mkdirSync(join(dir, name));
    mkdirSync(join(dir, 'repository/.git'));
    for (const name of ['empty', 'repository']) {
      expect(await said(() => init(join(dir, name), own))).toMatchObject({ code: 0 });
      expect(JSON.parse(read(name, 'package.json')).name).toBe(name);
    }
  });

  it('has a configuration that loads without any variable', async () => {
    const { agents, models } = await loadConfig({ path: join(ROOT, 'template/temporal.yaml'), env: {} });
    expect(agents.map((path) => existsSync(path))).toEqual([true]);
    expect(Object.keys(models)).toEqual(['default']);
  });

  it('needs the versions that the package is built and tested with', () => {
    const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const its = JSON.parse(readFileSync(join(ROOT, 'template/package.json'), 'utf8'));
    expect(its.dependencies).toEqual({ holdfast: own.version, zod: own.dependencies.zod });
    const { typescript, '@types/node': node } = its.devDependencies;
    expect({ typescript, node }).toEqual({
      typescript: own.devDependencies.typescript,
      node: own.devDependencies['@types/node'],
    });
  });
});

describe('refused, with nothing written,', () => {
  it.each<[string, string, (path: string) => void, string]>([
    [
      'is a folder that is not empty',
      'full',
      (path) => {
        mkdirSync(path);
        for (const name of ['a', 'b', 'c', 'd', 'e', 'f', '.git']) writeFileSync(join(path, name), '');
      },
      'is not empty: it has a, b, c, d, e and 1 more. Choose a new or empty folder.',
    ],
    ['is a file', 'note', (path) => writeFileSync(path, ''), 'is a file. Choose the path of a new or empty folder.'],
    ['is a name with capitals', 'MyAgent', () => {}, '`MyAgent` cannot be the name of a project: npm expects '],
    ['is a name with a space', 'my agent', () => {}, '`my agent` cannot be the name of a project'],
    ['is a hidden folder', '.agent', () => {}, '`.agent` cannot be the name of a project'],
    ['is a name that npm reserves', 'node_modules', () => {}, '`node_modules` cannot be the name of a project'],
    ['is the name of a dependency', 'zod', () => {}, '`zod` is a package that the project depends on.'],
    ['is the name of this package', 'holdfast', () => {}, 'Choose another name, such as `my-holdfast`.'],
    ['is a folder without a parent', 'missing/my-agent', () => {}, 'missing. Create it first.'],
    ['is a folder in a file', 'note/my-agent', (path) => writeFileSync(join(path, '..'), ''), 'There is no folder '],
  ])('%s', async (_what, name, prepare, problem) => {
    const own = installation();
    const place = join(dir, 'here');
    mkdirSync(place);
    prepare(join(place, name));
    const before = readdirSync(place, { recursive: true });
    const { code, out, err } = await said(() => init(join(place, name), own));
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(problem);
    expect(readdirSync(place, { recursive: true })).toEqual(before);
  });

  it('is a package that cannot be packed', async () => {
    const own = installation();
    writeFileSync(join(own, 'package.json'), JSON.stringify({ name: 'holdfast' }));
    const { code, err } = await said(() => init(join(dir, 'my-agent'), own));
    expect([code, existsSync(join(dir, 'my-agent'))]).toEqual([1, false]);
    expect(err).toMatch(/^`npm pack` of the installed package failed: /);
  });
});
