import { callMcpTool, type McpCallResult } from '../../../../../activities/mcp/call-tool';
import { McpConnections } from '../../../../../activities/mcp/connections';
import type { McpServer } from '../../../../../agent/define/mcp-server';
import { listen } from '../../http-server';
import { fixture, specOf } from '../../servers';

const connections = new McpConnections();
const closing: (() => unknown)[] = [];
afterAll(async () => {
  await connections.close();
  for (const close of closing) await close();
});

/** What a call gives whose server answers with a line, in which ID stands for the id of the request. */
export async function overStdio(line: string, answers: { [method: string]: string } = {}): Promise<McpCallResult> {
  return say(fixture('raw-server.mjs', [], { env: { ANSWERS: JSON.stringify(answers) } }), line);
}

/** The same over HTTP, with the line as the body of a response. */
export async function overHttp(line: string, { type = 'application/json' } = {}): Promise<McpCallResult> {
  const server = await listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (body === '') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const called = method === 'tools/call';
    response.writeHead(200, { 'content-type': called ? type : 'application/json' });
    if (called) return void response.end(line.replaceAll('ID', id));
    const result = RESULTS[method];
    const reply = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
  });
  closing.push(server.close);
  return say({ url: server.url }, line);
}

const RESULTS: { [method: string]: object } = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } },
  'tools/list': { tools: [{ name: 'say', inputSchema: { type: 'object' } }] },
};

async function say(definition: McpServer, line: string): Promise<McpCallResult> {
  const spec = await specOf(connections, definition, 'say', { timeout: 20_000 });
  return callMcpTool(connections, definition, spec, { line }, { signal: new AbortController().signal });
}
