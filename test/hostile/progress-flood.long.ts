import { type ChildProcess, spawn } from 'node:child_process';
import { callMcpTool } from '../../activities/mcp/call-tool';
import { McpConnections } from '../../activities/mcp/connections';
import type { McpServer } from '../../agent/define/mcp-server';
import { fixture, specOf } from '../activities/mcp/servers';
import { longestBlock } from './stage/longest-block';

const TIMES = 60_000;
const { command, args = [] } = fixture('flood-server.mjs', ['http', String(TIMES)]);

let child: ChildProcess | undefined;
const connections = new McpConnections();
afterAll(async () => {
  await connections.close();
  child?.kill();
});

async function overHttp(): Promise<McpServer> {
  child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const port = await new Promise((resolve) => child?.stderr?.once('data', (said) => resolve(String(said).trim())));
  return { url: `http://127.0.0.1:${port}/mcp` };
}

test.each<[string, () => McpServer | Promise<McpServer>]>([
  ['over pipes', () => fixture('flood-server.mjs', ['stdio', String(TIMES)])],
  ['over HTTP', overHttp],
])('60,000 reports of progress %s block no call, and few are passed on', async (_how, server) => {
  const definition = await server();
  const spec = await specOf(connections, definition, 'do');
  const seen: number[] = [];
  const { signal } = new AbortController();
  const blocked = longestBlock();
  const result = await callMcpTool(
    connections,
    definition,
    spec,
    {},
    {
      signal,
      onProgress: ({ progress }) => seen.push(progress),
    },
  );
  expect(result).toEqual({ content: [{ type: 'text', text: 'done' }] });
  // Some hundred milliseconds without the limit, and 20 to 80 with it.
  expect(blocked()).toBeLessThan(300);
  expect(seen[0]).toBe(1);
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  expect(seen.length).toBeGreaterThan(1);
  expect(seen.at(-1)).toBe(TIMES);
  expect(seen.length).toBeLessThan(2000);
});
