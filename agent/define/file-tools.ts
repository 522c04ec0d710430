import type { ToolSpec } from '../protocol/manifest';

type FileTool = Pick<ToolSpec, 'name' | 'description' | 'inputSchema'>;

const path = { type: 'string', description: 'Path relative to the folder that you may read' };

/** Additional tools of an agent with `files`. They read one folder on the worker's machine and nothing else. */
export const FILE_TOOLS: readonly FileTool[] = [
  {
    name: 'list_directory',
    description:
      'List a folder. Folders end in a slash, files have their size. An unusual name is shown as a JSON string: use it as shown.',
    inputSchema: { type: 'object', properties: { path }, additionalProperties: false },
  },
  {
    name: 'read_file',
    description: 'Read a text file or an image. A long file comes in pieces: continue with `offset`, in bytes.',
    inputSchema: {
      type: 'object',
      properties: { path, offset: { type: 'integer', minimum: 0 } },
      required: ['path'],
      additionalProperties: false,
    },
  },
];
