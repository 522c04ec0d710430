import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { McpConnections } from '../../../activities/mcp/connections';
import { discoverTools } from '../../../activities/mcp/discover';
import type { Log } from '../../../agent/define/context';
import type { McpServer, McpStdioServer } from '../../../agent/define/mcp-server';
import type { ToolOf } from '../../../agent/protocol/manifest';

export function fixture(name: string, args: string[] = [], more: Partial<McpStdioServer> = {}): McpStdioServer {
  return { command: process.execPath, args: [resolve(__dirname, '../../fixtures/mcp', name), ...args], ...more };
}

type Published = 'filesystem' | 'everything' | 'memory' | 'sequential-thinking' | 'github';

/** A server of npm. */
export function published(name: Published, args: string[] = [], more: Partial<McpStdioServer> = {}): McpStdioServer {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  return { command: process.execPath, args: [join(dirname(manifest), 'dist/index.js'), ...args], ...more };
}

/** A folder that is removed when all tests have ended: a server that a test has used may end after the test. */
export function newFolder(): string {
  return mkdtempSync(join(process.env.HOLDFAST_TEST_FOLDER ?? tmpdir(), 'mcp-'));
}

/** A file to which a fixture appends its events. */
export function newRecord() {
  const file = join(newFolder(), 'record');
  const lines = () => {
    try {
      return readFileSync(file, 'utf8').trim().split('\n');
    } catch {
      return [];
    }
  };
  const pids = () => lines().flatMap((line) => (line.startsWith('start ') ? [Number(line.slice(6))] : []));
  return { env: { RECORD: file }, lines, pids };
}

/** The parts of an answer with an image, a sound, two resources and a link. */
export const MEDIA_PARTS = [
  { type: 'media', mediaType: 'image/png', data: 'aW1n' },
  { type: 'media', mediaType: 'audio/wav', data: 'c25k' },
  { type: 'text', text: 'inside' },
  { type: 'media', mediaType: 'application/pdf', data: 'cGRm', name: 'file:///a.pdf' },
  { type: 'text', text: 'b.txt (file:///b.txt)' },
];

export async function specOf(
  connections: McpConnections,
  definition: McpServer,
  tool: string,
  more: Partial<ToolOf<'mcp'>> = {},
): Promise<ToolOf<'mcp'>> {
  const tools = await discoverTools(connections, 's', definition);
  const found = tools.find(({ name }) => name === `s.${tool}`);
  if (found === undefined) throw new Error(`No tool ${tool} in ${tools.map(({ name }) => name)}`);
  return { ...found, modelName: `s_${tool}`, ...more };
}

export function collectedLog(): Log & { entries: object[] } {
  const entries: object[] = [];
  const take = (fields: object) => void entries.push(fields);
  return { entries, debug: take, info: take, warn: take, error: take };
}
