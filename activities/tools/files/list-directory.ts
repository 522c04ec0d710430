import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyFolder, folderCut, isFile, link, notUtf8, sized } from '../../../agent/prompts/tools/files';
import { shownName } from './entry-name';
import { type Area, openInside, PathRefused } from './inside-root';

/** Entries that are shown; a folder with more is cut with a note. */
const MAX_ENTRIES = 1000;

/** The names in a folder of the area, one per line: folders end in a slash, files have their size. */
export function listDirectory(area: Area, path: string): Promise<string> {
  return openInside(area, path, async (folder, real) => {
    if (!(await folder.stat()).isDirectory()) throw new PathRefused(isFile(path));
    // By the handle if the system allows it: this reads exactly this folder, whatever its name means by now.
    const place = process.platform === 'linux' ? `/proc/self/fd/${folder.fd}` : real;
    const names = (await readdir(place)).sort();
    const lines = await Promise.all(names.slice(0, MAX_ENTRIES).map((name) => line(place, name)));
    if (names.length > MAX_ENTRIES) lines.push(folderCut(MAX_ENTRIES, names.length));
    return lines.join('\n') || emptyFolder();
  });
}

async function line(folder: string, name: string): Promise<string> {
  // A file may disappear meanwhile; a link is named, never followed.
  const stat = await lstat(join(folder, name)).catch(() => undefined);
  const shown = shownName(name);
  if (stat === undefined) return name.includes('\ufffd') ? notUtf8(shown) : shown;
  if (stat.isDirectory()) return `${shown}/`;
  if (stat.isSymbolicLink()) return link(shown);
  return sized(shown, stat.size);
}
