import type { ServerResponse } from 'node:http';
import { callMcpTool } from '../../activities/mcp/call-tool';
import { McpConnections } from '../../activities/mcp/connections';
import { listen } from '../activities/mcp/http-server';
import { specOf } from '../activities/mcp/servers';

const FLOOD = 500;

test('an HTTP server that sends 500 requests at once gets a few answers at a time, and its call succeeds', async () => {
  const held: ServerResponse[] = [];
  let quiet: NodeJS.Timeout | undefined;
  let finish = () => {};
  const server = await listen(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { id, method } = JSON.parse(body || '{}');
    const send = (result: object) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    };
    if (method === undefined && id !== undefined) {
      // One of our answers: all are accepted once no more have arrived for a while.
      held.push(response);
      clearTimeout(quiet);
      quiet = setTimeout(() => {
        for (const one of held) one.writeHead(202).end();
        finish();
      }, 1000);
    } else if (id === undefined) response.writeHead(request.method === 'POST' ? 202 : 405).end();
    else if (method === 'initialize') {
      const serverInfo = { name: 'asking', version: '1' };
      send({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
    } else if (method === 'tools/list') send({ tools: [{ name: 'do', inputSchema: { type: 'object' } }] });
    else if (method === 'tools/call') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const event = (message: object) =>
        response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
      for (let i = 0; i < FLOOD; i++) event({ id: `q${i}`, method: 'ping' });
      finish = () => {
        event({ id, result: { content: [{ type: 'text', text: 'fine' }] } });
        response.end();
      };
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }));
    }
  });
  const connections = new McpConnections();
  try {
    const definition = { url: server.url };
    const spec = await specOf(connections, definition, 'do');
    const { signal } = new AbortController();
    const result = await callMcpTool(connections, definition, spec, {}, { signal });
    expect(result).toEqual({ content: [{ type: 'text', text: 'fine' }] });
    expect(held.length).toBeGreaterThan(0);
    expect(held.length).toBeLessThanOrEqual(16);
  } finally {
    await connections.close();
    await server.close();
  }
});
