import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { watch } from 'chokidar';

/** Milliseconds without another change before changes are reported: an editor or a checkout writes several files. */
const QUIET = 100;

/** What a module may import. A log that is written into the same folder is not. */
const SOURCE = /\.([cm]?[jt]sx?|json|ya?ml)$/;

export interface WatchOptions {
  /** When a program began to read the files, in milliseconds since 1970: what changed since then counts. */
  since: number;
  /** Whether other files of their folders, and folders that appear there, count too: an import may be missing. */
  neighbours?: boolean;
}

export interface FileWatch {
  /** The files that count from now on. */
  watch(files: readonly string[], options: WatchOptions): void;
  close(): Promise<void>;
}

/** Calls `changed` with the files whose content is another. Saving a file unchanged does not count. */
export function watchFiles(changed: (files: string[]) => void): FileWatch {
  /** A hash of what the program has read of each file that counts; '' for what it has not, and for folders. */
  let known = new Map<string, string>();
  let neighbours = false;
  let timer: NodeJS.Timeout | undefined;
  const suspects = new Set<string>();
  const isChanged = (file: string) => (known.get(file) ?? '') !== hashOf(file);
  const check = (file: string) => {
    if (!isChanged(file)) return;
    suspects.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const files = [...suspects].filter(isChanged);
      suspects.clear();
      for (const each of files) known.set(each, hashOf(each));
      if (files.length > 0) changed(files);
    }, QUIET);
  };

  // Not `ignoreInitial`: what appears while a folder is first read would be taken for something old.
  const watcher = watch([], { depth: 0, ignored: isIgnored });
  /** Folders, not files: an editor may replace a file by another, and a missing one may appear. */
  const watchFolders = (folders: Iterable<string>) => {
    const watched = watcher.getWatched();
    const others = [...folders].filter((folder) => !(folder in watched));
    if (others.length > 0) watcher.add(others);
  };
  watcher.on('all', (event, path) => {
    if (event === 'addDir' && neighbours && !known.has(path)) watchFolders([path]);
    else if (known.has(path) || (neighbours && SOURCE.test(path))) check(path);
  });
  return {
    watch(files, { since, neighbours: withNeighbours = false }) {
      neighbours = withNeighbours;
      const folders = new Set(files.map(dirname));
      const counting = new Set(files);
      const before = known;
      known = new Map();
      for (const entry of neighbours ? [...folders].flatMap(entriesOf) : []) {
        const path = join(entry.parentPath, entry.name);
        if (!entry.isDirectory()) counting.add(path);
        else if (changedSince(path, since)) folders.add(path);
        else known.set(path, '');
      }
      for (const file of counting) {
        known.set(file, before.get(file) ?? (changedSince(file, since) ? '' : hashOf(file)));
        check(file);
      }
      watchFolders(folders);
    },
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

function isIgnored(path: string): boolean {
  return path.includes('/node_modules/') || path.includes('/.git/');
}

/** The folders and sources of a folder. */
function entriesOf(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() || SOURCE.test(entry.name));
  } catch {
    return []; // it has gone
  }
}

function changedSince(path: string, since: number): boolean {
  const about = statSync(path, { throwIfNoEntry: false });
  // Not `mtime`: a file that is moved here keeps its own.
  return about !== undefined && about.ctimeMs > since;
}

/** Empty for a file that does not exist. */
function hashOf(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return '';
  }
}
