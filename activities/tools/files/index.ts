import type { Json, JsonObject } from '../../../agent/json';
import type { ContentPart } from '../../../agent/message';

export { PathRefused } from './inside-root';

import { listDirectory } from './list-directory';
import { readFile } from './read-file';

/** The tools in the process itself, under the root that the agent names; see `FILE_TOOLS` for what the model is told. */
export async function runFileTool(root: string, name: string, input: JsonObject): Promise<ContentPart[]> {
  if (name === 'list_directory') {
    return [{ type: 'text', text: await listDirectory(root, textOr(input.path, '.')) }];
  }
  return readFile(root, textOr(input.path, '.'), typeof input.offset === 'number' ? Math.max(0, input.offset) : 0);
}

function textOr(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}
