import { readdir, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

/** The names that npm allows for new packages. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,213}$/;
const RESERVED = ['node_modules', 'favicon.ico'];
/** An empty repository is as good as an empty folder. */
const ALLOWED = ['.git'];
/** How many entries of a folder are named. */
const SHOWN = 5;

/**
 * Why no project can be written to a folder; `undefined` if one can.
 * @param folder an absolute path
 * @param dependencies of the project: npm refuses a package that depends on one of its own name
 */
export async function problemOf(folder: string, dependencies: readonly string[]): Promise<string | undefined> {
  const name = basename(folder);
  if (!NAME.test(name) || RESERVED.includes(name)) {
    return (
      `\`${name}\` cannot be the name of a project: npm expects lower-case letters, digits, \`-\`, \`_\` and \`.\`, ` +
      'beginning with a letter or a digit. Choose a folder such as `my-agent`.'
    );
  }
  if (dependencies.includes(name)) {
    return `\`${name}\` is a package that the project depends on. Choose another name, such as \`my-${name}\`.`;
  }
  const kind = await kindOf(folder);
  if (kind === 'file') return `${folder} is a file. Choose the path of a new or empty folder.`;
  if (kind === 'missing') {
    const parent = dirname(folder);
    return (await kindOf(parent)) === 'folder' ? undefined : `There is no folder ${parent}. Create it first.`;
  }
  const found = (await readdir(folder)).filter((entry) => !ALLOWED.includes(entry)).sort();
  if (found.length === 0) return undefined;
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : '';
  return `${folder} is not empty: it has ${found.slice(0, SHOWN).join(', ')}${more}. Choose a new or empty folder.`;
}

async function kindOf(path: string): Promise<'folder' | 'file' | 'missing'> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    // ENOTDIR: a folder above is a file.
    if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return 'missing';
    throw error;
  }
}
