import { readFile } from 'node:fs/promises';
import { fileProblem } from './file-problem';

/**
 * The text of a file that a user has named. A byte order mark is left out.
 * @param fail makes the error of a file that cannot be read, or that is not a text, from the problem: a sentence without
 * its full stop
 * @throws what `fail` makes
 */
export async function readText(
  file: string,
  fail: (problem: string, code: string | undefined) => Error,
): Promise<string> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw fail(fileProblem(error), error.code);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw fail('It is not a text in UTF-8; save it as one', undefined);
  }
}
