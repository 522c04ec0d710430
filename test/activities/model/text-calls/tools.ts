import type { ToolSpec } from '../../../../agent/protocol/manifest';
import { lookup } from '../lookup';

/** A tool of the agent, one of an MCP server, and the loop's own. */
export const TOOLS: ToolSpec[] = [
  lookup,
  {
    ...lookup,
    name: 'files.read_file',
    modelName: 'files_read_file',
    description: 'Read a file',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    kind: 'mcp',
    mcp: { server: 'files', tool: 'read_file', startTimeout: 1000 },
  },
  {
    ...lookup,
    name: 'task_completion',
    modelName: 'task_completion',
    description: 'Give the result',
    inputSchema: { type: 'object', properties: { result: { type: 'string' } }, required: ['result'] },
    kind: 'loop',
    loop: { does: 'complete' },
  },
];
