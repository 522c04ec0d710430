import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';

const TYPES: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** Files in their folders that have a hash in their names, and so never change. */
const FOREVER = 'public, max-age=31536000, immutable';

/** The folder of the page, next to the compiled code. `null`: it is not built. */
export function builtPage(): string | null {
  const found = ['../web', '../../dist/client/web'].map((path) => join(__dirname, path));
  return found.find((folder) => existsSync(join(folder, 'assets'))) ?? null;
}

/** Serves the page from the folder of its built files. */
export function pageFiles(folder: string): (c: Context) => Promise<Response | undefined> {
  const files = new LRUCache<string, Uint8Array<ArrayBuffer>>({ max: 100 });
  const read = async (name: string) => {
    const known = files.get(name);
    if (known !== undefined) return known;
    const path = join(folder, name);
    if (
      !path.startsWith(join(folder, sep)) ||
      !(await stat(path).then(
        (found) => found.isFile(),
        () => false,
      ))
    )
      return undefined;
    const bytes = new Uint8Array(await readFile(path));
    files.set(name, bytes);
    return bytes;
  };
  return async (c) => {
    const path = normalize(decoded(c.req.path));
    const wanted = TYPES[extname(path)] === undefined ? '/index.html' : path;
    const isAsset = wanted.startsWith('/assets/');
    // Any other address is one of the page's own: it shows what belongs there.
    const bytes = (await read(wanted)) ?? (isAsset ? undefined : await read('/index.html'));
    if (bytes === undefined) return undefined;
    const type = TYPES[extname(wanted)] ?? 'application/octet-stream';
    return c.body(bytes, 200, { 'content-type': type, 'cache-control': isAsset ? FOREVER : 'no-cache' });
  };
}

/** A path that cannot be decoded names nothing. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '/';
  }
}
