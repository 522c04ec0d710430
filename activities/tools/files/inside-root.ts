import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import {
  cannotOpen,
  changedMeanwhile,
  neitherFileNorFolder,
  noRoot,
  noSuchPath,
  outsideRoot,
  pathWithZero,
  tooManyLinks,
} from '../../../agent/prompts/tools/files';

/** A path that does not exist, or is not under the root: the model reads the text. */
export class PathRefused extends Error {
  override readonly name = 'PathRefused';
}

/** A folder that a tool may read. */
export interface Area {
  /** Nothing outside it is read, by links or otherwise. */
  root: string;
  /** A folder under it that paths are relative to, and must stay in. Default: the root itself. */
  folder?: string;
}

/** Never waits: a pipe without a writer would block forever. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Opens what `path` names and passes it to `use`, but only if it is under the root of the area. The deciding check is made on the
 * opened file, not on its name: swapping links and folders between check and open gains nothing.
 * @throws PathRefused
 */
export async function openInside<T>(
  { root, folder = '.' }: Area,
  path: string,
  use: (file: FileHandle, realPath: string) => Promise<T>,
): Promise<T> {
  if (path.includes('\0')) throw new PathRefused(pathWithZero());
  const realRoot = await realpath(root).catch(() => {
    throw new PathRefused(noRoot());
  });
  const base = resolve(realRoot, folder);
  const wanted = resolve(base, path);
  // Before anything is opened: opening alone can have effects, for example with devices.
  if (!isInside(realRoot, base) || !isInside(base, wanted)) throw outside(path);
  const real = await realpath(wanted).catch((error: unknown) => {
    throw refused(path, error);
  });
  if (!isInside(realRoot, real)) throw outside(path);
  const file = await open(real, FLAGS).catch((error: unknown) => {
    throw refused(path, error);
  });
  try {
    const opened = await file.stat();
    if (!opened.isFile() && !opened.isDirectory()) throw new PathRefused(neitherFileNorFolder(path));
    if (!isInside(realRoot, await whereItIs(file, real))) throw outside(path);
    return await use(file, real);
  } finally {
    await file.close();
  }
}

/** Where the opened file really is. */
async function whereItIs(file: FileHandle, real: string): Promise<string> {
  // The kernel knows, whatever the name means by now.
  if (process.platform === 'linux') return readlink(`/proc/self/fd/${file.fd}`);
  // Elsewhere Node cannot find out: the name must still be real, and refer to the same file.
  const [opened, named, nameNow] = await Promise.all([file.stat(), lstat(real), realpath(real)]);
  if (opened.dev === named.dev && opened.ino === named.ino && nameNow === real) return real;
  throw new PathRefused(changedMeanwhile());
}

/** Whether a path is a folder, or in it. Both are absolute. */
export function isInside(root: string, path: string): boolean {
  const kind = relative(root, path);
  return kind === '' || (!isAbsolute(kind) && kind !== '..' && !kind.startsWith(`..${sep}`));
}

function outside(path: string): PathRefused {
  return new PathRefused(outsideRoot(path));
}

function refused(path: string, error: unknown): PathRefused {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return new PathRefused(noSuchPath(path));
  if (code === 'ELOOP') return new PathRefused(tooManyLinks(path));
  return new PathRefused(cannotOpen(path, code));
}
