import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../agent/errors/error';

/** What a project depends on: a version of the registry, or a tarball that belongs to the project. */
export type Dependency = { from: 'registry'; version: string } | { from: 'tarball'; path: string };
/** Why the package could not be packed. */
type Unpacked = { from: 'nowhere'; problem: string };

/**
 * A project gets the package from the registry if this installation came from there. Otherwise, in a clone for example
 * or after an installation of a tarball, the package is packed again and becomes part of the project: a path to where it
 * is now would be wrong on other machines.
 * @param own the folder of this installation
 * @param scratch a folder for the tarball
 */
export async function dependencyOn(own: string, scratch: string): Promise<Dependency | Unpacked> {
  const { name, version } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as Package;
  if (await isFromRegistry(own, name)) return { from: 'registry', version };
  // The package is built: its scripts would build it from sources, which an installation does not have.
  const pack = ['pack', own, '--pack-destination', scratch, '--ignore-scripts'];
  // On Windows npm is a batch file, which only a shell runs.
  try {
    await promisify(execFile)('npm', pack, { cwd: scratch, shell: process.platform === 'win32' });
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    return { from: 'nowhere', problem: stderr?.trim() || messageOf(error) };
  }
  const tarball = (await readdir(scratch)).find((file) => file.endsWith('.tgz'));
  if (tarball === undefined) return { from: 'nowhere', problem: 'it wrote no tarball' };
  return { from: 'tarball', path: join(scratch, tarball) };
}

interface Package {
  name: string;
  version: string;
}

/** What npm wrote into node_modules about where it got the packages from. Other package managers do not. */
async function isFromRegistry(own: string, name: string): Promise<boolean> {
  let lock: { packages?: { [path: string]: { resolved?: string } } };
  try {
    lock = JSON.parse(await readFile(join(dirname(own), '.package-lock.json'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  return lock.packages?.[`node_modules/${name}`]?.resolved?.startsWith('http') === true;
}
