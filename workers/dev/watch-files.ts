import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { watch } from 'chokidar';

/** Milliseconds without another change before changes are reported: an editor or a checkout writes several files. */
const QUIET = 100;

/** What a module may import. A log that is written into the same folder is not. */
const SOURCE = /\.([cm]?[jt]sx?|json|ya?ml)$/;

export interface FileWatch {
  /** The files that count from now on. `neighbours`: other files of their folders do too, for a missing import. */
  watch(files: readonly string[], options?: { neighbours?: boolean }): void;
  close(): Promise<void>;
}

/** Calls `changed` when the content of a watched file changes. Saving a file unchanged does not count. */
export function watchFiles(changed: () => void): FileWatch {
  let hashes = new Map<string, string>();
  let neighbours = false;
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch([], { depth: 0, ignoreInitial: true, ignored: (path) => path.includes('/node_modules/') });
  watcher.on('all', (_event, path) => {
    const isFile = hashes.has(path) || (neighbours && SOURCE.test(path));
    if (!isFile || hashes.get(path) === hashOf(path)) return;
    if (hashes.has(path)) hashes.set(path, hashOf(path));
    clearTimeout(timer);
    timer = setTimeout(changed, QUIET);
  });
  return {
    watch(files, options = {}) {
      neighbours = options.neighbours ?? false;
      const next = new Map(files.map((file) => [file, hashes.get(file) ?? hashOf(file)]));
      // Folders, not files: an editor may replace a file by another, and a missing one may appear.
      watcher.add([...new Set(files.map(dirname))]);
      hashes = next;
    },
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

/** Empty for a file that does not exist. */
function hashOf(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return '';
  }
}
