import { open, realpath, rm } from 'node:fs/promises';
import { HoldfastError } from '../../agent/errors/error';
import { fileProblem } from '../../runtime/files/file-problem';

/** How each file of SQLite begins. */
const SQLITE = 'SQLite format 3\0';

/**
 * Refuses a file in which a server cannot keep runs: Temporal's own error names a function of its database. An empty file
 * is removed: the server takes any that exists for one that it has made, with its tables.
 * @throws HoldfastError `InvalidConfig`
 */
export async function checkDbFile(file: string): Promise<void> {
  const fail = (problem: string) => new HoldfastError('InvalidConfig', { file, problem });
  const opened = await open(file, 'a+').catch((error: unknown) => {
    throw fail(fileProblem(error, 'written'));
  });
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(SQLITE.length), 0, SQLITE.length, 0);
    const begins = buffer.toString('latin1', 0, bytesRead);
    if (bytesRead > 0 && begins !== SQLITE)
      throw fail('It is not a file in which runs were kept; name another one, or a new one');
    if (bytesRead === 0) await rm(await realpath(file));
  } finally {
    await opened.close();
  }
}
