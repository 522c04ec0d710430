import { FILE_PATH, LIST_DIRECTORY, READ_FILE } from '../../prompts/tools/built-in-tools';
import type { ToolSpec } from '../../protocol/manifest';

/** A tool that reads files, as the model is told of it. */
export type FileTool = Pick<ToolSpec, 'name' | 'description' | 'inputSchema'>;

const path = { type: 'string', description: FILE_PATH };

/** Additional tools of an agent with `files`. They read one folder on the worker's machine and nothing else. */
export const FILE_TOOLS: readonly FileTool[] = [
  {
    name: 'list_directory',
    description: LIST_DIRECTORY.description,
    inputSchema: { type: 'object', properties: { path }, additionalProperties: false },
  },
  {
    name: 'read_file',
    description: READ_FILE.description,
    inputSchema: {
      type: 'object',
      properties: { path, offset: { type: 'integer', minimum: 0 } },
      required: ['path'],
      additionalProperties: false,
    },
  },
];
