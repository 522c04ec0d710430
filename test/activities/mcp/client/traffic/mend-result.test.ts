import { callMcpTool } from '../../../../../activities/mcp/call-tool';
import { mendCallResult, mendResult } from '../../../../../activities/mcp/client/traffic/mend-result';
import { McpConnections } from '../../../../../activities/mcp/connections';
import { discoverTools } from '../../../../../activities/mcp/discover';
import type { McpServer } from '../../../../../agent/define/mcp-server';
import { listen } from '../../http-server';
import { fixture, specOf } from '../../servers';

const connections = new McpConnections();
afterAll(() => connections.close());

const sloppy = fixture('sloppy-server.mjs');

async function contentOf(definition: McpServer, tool: string) {
  const spec = await specOf(connections, definition, tool);
  const { signal } = new AbortController();
  const { content, error, unknown } = await callMcpTool(connections, definition, spec, { a: 1 }, { signal });
  expect({ error, unknown }).toEqual({});
  return content;
}

test('one tool that is not described as the protocol wants it does not cost the others', async () => {
  const tools = await discoverTools(connections, 's', sloppy);
  expect(tools.map(({ name, inputSchema, annotations }) => ({ name, inputSchema, annotations }))).toEqual([
    { name: 's.empty', inputSchema: { type: 'object' } },
    { name: 's.list', inputSchema: { type: 'object' } },
    { name: 's.nulls', inputSchema: { type: 'object' } },
    {
      name: 's.union',
      inputSchema: { type: 'object', anyOf: [{ required: ['a'] }] },
      annotations: { destructiveHint: true },
    },
  ]);
});

test('a null in a result, or content of an unknown type, does not make the outcome of a call unknown', async () => {
  expect(await contentOf(sloppy, 'nulls')).toEqual([{ type: 'text', text: 'hello' }]);
  expect(await contentOf(sloppy, 'empty')).toEqual([{ type: 'text', text: 'inside' }]);
  expect(await contentOf(sloppy, 'list')).toEqual([{ type: 'text', text: 'file:///b (file:///b)' }]);
  expect(await contentOf(sloppy, 'union')).toEqual([
    { type: 'text', text: 'hello' },
    { type: 'text', text: '{"type":"video","data":"dg=="}' },
  ]);
});

test('the same holds over HTTP', async () => {
  const results: { [method: string]: object } = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: [] }, serverInfo: { name: 's', version: '1' } },
    'tools/list': { tools: [{ name: 'ask', description: null, inputSchema: {} }, { name: null }], nextCursor: null },
    'tools/call': { content: [{ type: 'text', text: 'hello', annotations: null }], isError: null },
  };
  const server = await listen(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const result = results[method];
    const reply = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
  });
  try {
    expect(await contentOf({ url: server.url }, 'ask')).toEqual([{ type: 'text', text: 'hello' }]);
  } finally {
    await server.close();
  }
});

test('what fits the protocol stays as it is, with the order of its fields', () => {
  const tool = {
    name: 'a',
    inputSchema: { type: 'object', properties: { a: { default: null } }, required: ['a'], additionalProperties: false },
    annotations: { title: 'A', readOnlyHint: true, own: 1 },
  };
  expect(mendResult({ tools: [tool] })).toEqual({ tools: [tool] });
  const [mended] = mendResult({ tools: [tool] }).tools as (typeof tool)[];
  expect(JSON.stringify(mended?.inputSchema)).toBe(JSON.stringify(tool.inputSchema));
  const result = { content: [{ type: 'text', text: 'a' }], structuredContent: { a: null }, isError: false };
  expect(mendCallResult(result)).toEqual(result);
});
