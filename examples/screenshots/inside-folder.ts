import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/**
 * The real path of a file in `root`, with symbolic links resolved. A relative path is relative to `root`.
 * @throws Error if there is no such file, or if it is outside
 */
export async function insideFolder(root: string, path: string): Promise<string> {
  const folder = await realpath(root);
  const wanted = resolve(folder, path);
  // Checked first, so that a caller cannot find out which files exist elsewhere.
  if (!isIn(folder, wanted) && !isIn(resolve(root), wanted)) throw new Error(`it is outside of ${folder}`);
  const real = await realpath(wanted).catch(() => undefined);
  if (real === undefined) throw new Error('there is no such file');
  if (!isIn(folder, real)) throw new Error(`it is a link to the outside of ${folder}`);
  return real;
}

function isIn(folder: string, path: string): boolean {
  const kind = relative(folder, path);
  return kind !== '..' && !kind.startsWith(`..${sep}`) && !isAbsolute(kind);
}
