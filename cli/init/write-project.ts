import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Dependency } from './dependency';

/** The files of a project, and the packages that it needs. */
export interface Template {
  folder: string;
  files: readonly string[];
  manifest: Manifest;
  dependencies: readonly string[];
}

interface Manifest {
  name: string;
  dependencies: { [name: string]: string };
  devDependencies: { [name: string]: string };
}

/** npm leaves files of these names out of packages, so the template has them under other names. */
const RENAMED: { readonly [name: string]: string } = { gitignore: '.gitignore' };
/** Folder of the tarball in a project. */
const VENDOR = 'vendor';

export async function readTemplate(folder: string): Promise<Template> {
  const entries = await readdir(folder, { withFileTypes: true });
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  return {
    folder,
    files: entries.filter((entry) => entry.isFile()).map(({ name }) => name),
    manifest,
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }),
  };
}

/** Writes a project into a new or empty folder, and returns the paths of its files. */
export async function writeProject(folder: string, template: Template, holdfast: Dependency): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const written: string[] = [];
  for (const file of template.files.filter((name) => name !== 'package.json')) {
    const name = RENAMED[file] ?? file;
    await copyFile(join(template.folder, file), join(folder, name));
    written.push(name);
  }
  let version: string;
  if (holdfast.from === 'tarball') {
    const tarball = `${VENDOR}/${basename(holdfast.path)}`;
    await mkdir(join(folder, VENDOR));
    await copyFile(holdfast.path, join(folder, tarball));
    written.push(tarball);
    version = `file:${tarball}`;
  } else version = holdfast.version;
  const { manifest } = template;
  const own = { ...manifest, name: basename(folder), dependencies: { ...manifest.dependencies, holdfast: version } };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(own, undefined, 2)}\n`);
  return [...written, 'package.json'].sort();
}
