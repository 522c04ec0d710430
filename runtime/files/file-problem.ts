import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

/** What a process wants to do with a file. */
export type FileUse = 'read' | 'written' | 'used';

/**
 * What keeps a file that a user has named from being read or written, as a sentence without its full stop: people read
 * it, who know no codes of Node such as EISDIR.
 * @param error what Node threw
 */
export function fileProblem(error: unknown, use: FileUse = 'read'): string {
  const { code, path } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return missing(path);
    case 'EISDIR':
      return 'It is a folder; name a file';
    case 'ENOTDIR':
      return 'Its path goes through a file as if that were a folder';
    // From a folder that is to be made.
    case 'EEXIST':
      return 'It is a file; name a folder';
    case 'EACCES':
    case 'EPERM':
      return `It may not be ${use} by the user of this process; change its permissions, or those of the folders that it is in`;
    case 'EROFS':
      return 'Its file system can only be read';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'The disk is full';
    case 'ELOOP':
      return 'It is a link that leads back to itself';
    case 'ENAMETOOLONG':
      return 'Its name is too long';
    case 'EMFILE':
    case 'ENFILE':
      return 'Too many files are open; raise the limit (`ulimit -n`), or try again later';
    default:
      return `It cannot be ${use} (${code ?? 'unknown reason'})`;
  }
}

function missing(path: string | undefined): string {
  const folder = path === undefined ? undefined : dirname(path);
  return folder === undefined || existsSync(folder) ? 'There is no such file' : `There is no folder ${folder}`;
}

/** An error of Node about a file. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException & { path: string } {
  return error instanceof Error && 'syscall' in error && 'path' in error && typeof error.path === 'string';
}
