import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { createJiti } from 'jiti';
import { HoldfastError } from '../../agent/errors/error';
import type { Config } from '../../runtime/config/config';
import { invalidSetting, type Setting } from '../../runtime/config/invalid-setting';
import { watchingExits } from './exits';
import { isUserFile, loadFailure } from './load-failure';

/** Milliseconds that a module may take to load: some read secrets from a server first. */
const LOAD_TIME = 30_000;

/** The modules that were asked for. One that waits at its top level is in no cache. */
const asked = new Set<string>();

/** The user's files that this process has loaded or begun to load, broken ones included. */
export function loadedFiles(): string[] {
  return [...new Set([...Object.keys(require.cache).filter(isUserFile), ...asked])];
}

/**
 * What a module of the user exports. TypeScript is loaded directly. A module that was loaded before is the same one.
 * @param setting what names it in temporal.yaml, for errors
 * @throws HoldfastError `InvalidDefinition` and `ModuleNotLoaded`, with file and line, and `InvalidConfig`
 */
export async function importModule(
  path: string,
  setting: Setting,
  config: Config,
  time = LOAD_TIME,
): Promise<{ readonly [name: string]: unknown }> {
  asked.add(path);
  const load = () => createJiti(__filename).import<{ readonly [name: string]: unknown }>(path);
  try {
    return await watchingExits(path, () => inTime(load(), path, time));
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
    // In a folder, the `main` of its package.json is looked for.
    if (missing && (error.message.includes(`'${path}'`) || (isFolder(path) && error.message.includes(`'${path}/`)))) {
      throw await invalidSetting(config, setting, missingModule(path));
    }
    throw loadFailure(error, path);
  }
}

/** A module that waits for something that never comes would end a command without a word: nothing keeps its process alive. */
async function inTime<T>(loading: Promise<T>, path: string, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const problem = `it was not loaded after ${ms / 1000} s; does it wait for something at its top level?`;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HoldfastError('ModuleNotLoaded', { file: path, problem })), ms);
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function missingModule(path: string): string {
  if (isFolder(path)) return `${path} is a folder; write the path of a module, such as \`./agents.ts\``;
  // The name of a package, such as `@ai-sdk/anthropic`.
  const hint = extname(path) === '' ? '; write the path of a file, such as `./models.ts`' : '';
  return `There is no module ${path}${hint}`;
}
