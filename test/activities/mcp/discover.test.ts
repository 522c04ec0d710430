import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { McpConnections } from '../../../activities/mcp/connections';
import { discoverTools } from '../../../activities/mcp/discover';
import type { McpStdioServer } from '../../../agent/define/mcp-server';
import { fixture, newFolder, published } from './servers';

const connections = new McpConnections();
afterAll(() => connections.close());

interface RawTool {
  name: string;
  description?: string;
  inputSchema: object;
  outputSchema?: object;
  annotations?: object;
}

/** The server's own list, read without any SDK. */
async function rawTools({ command, args = [] }: McpStdioServer): Promise<RawTool[]> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'raw', version: '1' };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const { id, result } = JSON.parse(line);
      if (id === 1) {
        send({ method: 'notifications/initialized' });
        send({ id: 2, method: 'tools/list', params: {} });
      }
      if (id === 2) return result.tools;
    }
    throw new Error('The server ended');
  } finally {
    child.kill();
  }
}

test.each([
  ['filesystem', () => published('filesystem', [newFolder()])],
  ['everything', () => published('everything', ['stdio'])],
] as const)('the tools of server-%s become specs without loss', async (_name, definition) => {
  const server = definition();
  const raw = await rawTools(server);
  const specs = await discoverTools(connections, 'srv', server);
  expect(raw.length).toBeGreaterThan(10);
  const sorted = raw.sort((a, b) => (a.name < b.name ? -1 : 1));
  expect(
    specs.map(({ mcp, description, inputSchema, outputSchema, annotations }) => ({
      name: mcp?.tool,
      description,
      inputSchema,
      outputSchema,
      annotations,
    })),
  ).toEqual(
    sorted.map(({ name, description, inputSchema, outputSchema, annotations }) => ({
      name,
      description,
      inputSchema,
      outputSchema,
      annotations,
    })),
  );
  expect(specs.every((spec) => spec.kind === 'mcp' && spec.name === `srv.${spec.mcp?.tool}`)).toBe(true);
  expect(JSON.parse(JSON.stringify(specs))).toEqual(specs);
});

test('tools of all pages come sorted, and of two with the same name the first', async () => {
  const specs = await discoverTools(connections, 'old', fixture('old-server.mjs'));
  const names = specs.map(({ name }) => name);
  expect(names).toEqual([...names].sort());
  expect(names).toContain('old.wrapped');
  expect(new Set(names).size).toBe(names.length);
  expect(specs.find(({ name }) => name === 'old.pid')).toEqual({
    name: 'old.pid',
    kind: 'mcp',
    description: '',
    inputSchema: { type: 'object' },
    effect: 'once',
    priority: 0,
    timeout: 60_000,
    attempts: 1,
    placement: 'activity',
    cancellation: 'wait',
    mcp: { server: 'old', tool: 'pid', startTimeout: 30_000 },
    annotations: { readOnlyHint: true, title: 'Process', openWorldHint: false },
  });
});

test('hints loosen the effect of a tool only if the operator trusts the server', async () => {
  const effects = async (more: Partial<McpStdioServer>) => {
    const specs = await discoverTools(connections, 'old', fixture('old-server.mjs', [], more));
    return ['pid', 'env', 'crash'].map((tool) => specs.find(({ mcp }) => mcp?.tool === tool)?.effect);
  };
  expect(await effects({})).toEqual(['once', 'once', 'once']);
  expect(await effects({ trusted: true })).toEqual(['read', 'idempotent', 'once']);
});

test('the timeout of the definition is that of its tools', async () => {
  const specs = await discoverTools(connections, 'old', fixture('old-server.mjs', [], { timeout: '90s' }));
  expect(specs.every(({ timeout }) => timeout === 90_000)).toBe(true);
});
