import type { ContentPart } from '../../../agent/model/message';
import { badOffset, badPath } from '../../../agent/prompts/tools/files';
import type { Json, JsonObject } from '../../../agent/values/json';

export { type Area, isInside, PathRefused } from './inside-root';

import { pathOf } from './entry-name';
import { type Area, openInside, PathRefused } from './inside-root';
import { listDirectory } from './list-directory';
import { readFile } from './read-file';

/** Runs a file tool, under the root that the agent names; see `FILE_TOOLS` for what the model is told. */
export async function runFileTool(root: string, name: string, input: JsonObject): Promise<ContentPart[]> {
  if (name === 'list_directory') {
    return [{ type: 'text', text: await listDirectory({ root }, checkPath(input.path)) }];
  }
  return readFile({ root }, checkPath(input.path), checkOffset(input.offset));
}

/** What is at a path of the area: a file, from byte `offset`, or the names in a folder. */
export async function readArea(area: Area, { path, offset }: JsonObject): Promise<ContentPart[]> {
  const place = checkPath(path);
  const isFolder = await openInside(area, place, async (file) => (await file.stat()).isDirectory());
  if (isFolder) return [{ type: 'text', text: await listDirectory(area, place) }];
  return readFile(area, place, checkOffset(offset));
}

/** The names in the area itself, one per line. */
export function listArea(area: Area): Promise<string> {
  return listDirectory(area, '.');
}

function checkPath(given: Json = null): string {
  const path = given ?? '.';
  if (typeof path !== 'string') throw new PathRefused(badPath(JSON.stringify(path)));
  return path === '' ? '.' : pathOf(path);
}

function checkOffset(given: Json = null): number {
  // Some models send `null` for what they leave out.
  const offset = given ?? 0;
  if (typeof offset === 'number' && Number.isInteger(offset) && offset >= 0) return offset;
  // `JSON.stringify` has no NaN.
  const got = typeof offset === 'number' ? String(offset) : JSON.stringify(offset);
  throw new PathRefused(badOffset(got));
}
