import type { ToolSpec } from '../protocol/manifest';

type FileTool = Pick<ToolSpec, 'name' | 'description' | 'inputSchema'>;

const path = { type: 'string', description: 'Relative to the folder that may be read' };

/** What an agent with `files` gets, beside its own tools: it reads a folder of the worker's machine and nothing else. */
export const FILE_TOOLS: readonly FileTool[] = [
  {
    name: 'list_directory',
    description:
      'Lists a folder: folders end in a slash, files have their size. An unusual name is shown as a JSON string; use it as it is shown.',
    inputSchema: { type: 'object', properties: { path }, additionalProperties: false },
  },
  {
    name: 'read_file',
    description: 'Reads a text file or an image. A long file comes in pieces: go on with `offset`, in bytes.',
    inputSchema: {
      type: 'object',
      properties: { path, offset: { type: 'integer', minimum: 0 } },
      required: ['path'],
      additionalProperties: false,
    },
  },
];
