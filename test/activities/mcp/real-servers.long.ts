import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { callMcpTool } from '../../../activities/mcp/call-tool';
import { McpConnections } from '../../../activities/mcp/connections';
import { discoverTools } from '../../../activities/mcp/discover';
import type { McpStdioServer } from '../../../agent/define/mcp-server';
import { textOf } from '../../../agent/model/message';
import type { JsonObject } from '../../../agent/values/json';
import { python, pythonTest } from './python-servers';
import { newFolder, published, specOf } from './servers';

jest.setTimeout(300_000);

const connections = new McpConnections();
afterAll(() => connections.close());

async function run(definition: McpStdioServer, tool: string, args: JsonObject) {
  const spec = await specOf(connections, definition, tool);
  return callMcpTool(connections, definition, spec, args, { signal: new AbortController().signal });
}

async function said(definition: McpStdioServer, tool: string, args: JsonObject): Promise<string> {
  const { content, error } = await run(definition, tool, args);
  expect(error).toBeUndefined();
  return textOf({ parts: content });
}

const eraOf = async (definition: McpStdioServer) => connections.use(definition, async ({ era }) => era);

test('server-memory remembers what it is told', async () => {
  const file = join(newFolder(), 'memory.jsonl');
  const memory = published('memory', [], { env: { MEMORY_FILE_PATH: file } });
  await run(memory, 'create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['counts'] }] });
  expect(JSON.parse(await said(memory, 'search_nodes', { query: 'Ada' }))).toMatchObject({
    entities: [{ name: 'Ada', entityType: 'person', observations: ['counts'] }],
  });
  expect(await eraOf(memory)).toBe('2025-11-25');
});

test('server-sequential-thinking takes a thought', async () => {
  const thought = { thought: 'First', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
  const answer = await said(published('sequential-thinking'), 'sequentialthinking', thought);
  expect(JSON.parse(answer)).toMatchObject({ thoughtNumber: 1, nextThoughtNeeded: false });
});

pythonTest('mcp-server-time tells the time in the protocol of 2026', async () => {
  const time = python('2026', 'mcp-server-time', ['--local-timezone', 'UTC']);
  const args = { source_timezone: 'Europe/Paris', target_timezone: 'UTC', time: '13:30' };
  expect(await said(time, 'convert_time', args)).toMatch(/1[12]:30:00/);
  expect(await eraOf(time)).toBe('2026-07-28');
  const wrong = await run(time, 'get_current_time', { timezone: 'Mars/Base' });
  expect(wrong).toMatchObject({ error: { type: 'ToolFailed' } });
  expect(wrong.unknown).toBeUndefined();
});

pythonTest('mcp-server-git shows a real repository in the protocol of 2026', async () => {
  const repository = newFolder();
  const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { stdio: 'pipe' });
  git('init', '--quiet');
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  git(...author, 'commit', '--allow-empty', '--message', 'The first one');
  const server = python('2026', 'mcp-server-git', ['--repository', repository]);
  expect(await said(server, 'git_log', { repo_path: repository })).toContain('The first one');
  expect(await eraOf(server)).toBe('2026-07-28');
});

pythonTest('mcp-server-fetch lists its tool', async () => {
  const tools = await discoverTools(connections, 's', python('2026', 'mcp-server-fetch'));
  expect(tools.map(({ name }) => name)).toEqual(['s.fetch']);
});

pythonTest('mcp-server-sqlite has no hints, so each of its tools is `once` even if it is trusted', async () => {
  const sqlite = python('2025', 'mcp-server-sqlite', ['--db-path', join(newFolder(), 'a.db')], { trusted: true });
  const tools = await discoverTools(connections, 's', sqlite);
  expect(tools).toHaveLength(6);
  expect(tools.filter(({ effect, annotations }) => effect !== 'once' || annotations !== undefined)).toEqual([]);
  await said(sqlite, 'create_table', { query: 'CREATE TABLE t (a INTEGER)' });
  await said(sqlite, 'write_query', { query: 'INSERT INTO t VALUES (42)' });
  expect(await said(sqlite, 'read_query', { query: 'SELECT a FROM t' })).toContain('42');
  expect(await eraOf(sqlite)).toBe('2025-11-25');
});
