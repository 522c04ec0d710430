import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from '../sources';

/** The entry points of the package, and the folders of their sources. */
const ENTRIES = { '.': 'agent', './client': 'client', './testing': 'test/kit' };

/**
 * Makes `node_modules` of a project as a reader has it: the sources of this repository under the package's name, and
 * other packages as this repository has them.
 */
export async function installPackages(project: string, others: readonly string[]): Promise<void> {
  const modules = join(project, 'node_modules');
  const own = join(modules, 'holdfast');
  await mkdir(own, { recursive: true });
  const exports: Record<string, string> = {};
  for (const [entry, source] of Object.entries(ENTRIES)) {
    exports[entry] = `./${source.replace('/', '-')}.ts`;
    const from = JSON.stringify(join(ROOT, source, 'index'));
    await writeFile(join(own, exports[entry]), `export * from ${from};\n`);
  }
  await writeFile(join(own, 'package.json'), JSON.stringify({ name: 'holdfast', exports }));
  for (const name of others) await symlink(dirname(require.resolve(`${name}/package.json`)), join(modules, name));
}
