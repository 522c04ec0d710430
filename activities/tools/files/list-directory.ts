import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { shownName } from './entry-name';
import { openInside, PathRefused } from './inside-root';

/** Entries that are shown; a folder with more is cut with a note. */
const MAX_ENTRIES = 1000;

/** The names in a folder under `root`, one per line: folders end in a slash, files have their size. */
export function listDirectory(root: string, path: string): Promise<string> {
  return openInside(root, path, async (folder, real) => {
    if (!(await folder.stat()).isDirectory()) throw new PathRefused(`\`${path}\` is a file; read it with read_file.`);
    // By the handle if the system allows it: this reads exactly this folder, whatever its name means by now.
    const place = process.platform === 'linux' ? `/proc/self/fd/${folder.fd}` : real;
    const names = (await readdir(place)).sort();
    const lines = await Promise.all(names.slice(0, MAX_ENTRIES).map((name) => line(place, name)));
    if (names.length > MAX_ENTRIES) lines.push(`[cut: the first ${MAX_ENTRIES} of ${names.length} entries are shown]`);
    return lines.join('\n') || '(empty folder)';
  });
}

async function line(folder: string, name: string): Promise<string> {
  // A file may disappear meanwhile; a link is named, never followed.
  const stat = await lstat(join(folder, name)).catch(() => undefined);
  const shown = shownName(name);
  if (stat === undefined)
    return name.includes('\ufffd') ? `${shown} (its name is not UTF-8, it cannot be opened)` : shown;
  if (stat.isDirectory()) return `${shown}/`;
  if (stat.isSymbolicLink()) return `${shown} (link)`;
  return `${shown} (${stat.size} bytes)`;
}
