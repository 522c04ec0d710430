import type { ServerResponse } from 'node:http';
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
export function overHttp(line: string, { type = 'application/json' } = {}): Promise<McpCallResult> {
  return overPost(line, type, (response, body) => response.end(body));
}

const EVENTS = 'text/event-stream';
const eventOf = (line: string) => `data: ${line.replaceAll('\n', '\ndata: ')}\n\n`;

/** The same with the line as an event, which the stream ends with. */
export function overEvents(line: string): Promise<McpCallResult> {
  return overPost(line, EVENTS, (response, body) => response.end(eventOf(body)));
}

/** The same with another event before it. */
export function overTwoEvents(before: string, line: string): Promise<McpCallResult> {
  return overPost(line, EVENTS, (response, body) => response.end(eventOf(before) + eventOf(body)));
}

/** The same with a stream that goes on after the event. */
export function overOpenEvents(line: string): Promise<McpCallResult> {
  return overPost(line, EVENTS, (response, body) => response.write(`id: 1\nevent: message\n${eventOf(body)}`));
}

/** The same over the transport of 2024. */
export async function overSse(line: string): Promise<McpCallResult> {
  let stream: ServerResponse | undefined;
  const server = await listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (body === '') {
      stream = response.writeHead(200, { 'content-type': EVENTS });
      return void response.write('event: endpoint\ndata: /messages\n\n');
    }
    const { id, method } = JSON.parse(body);
    response.writeHead(202).end();
    if (id === undefined) return;
    stream?.write(eventOf(method === 'tools/call' ? line.replaceAll('ID', id) : replyTo(id, method)));
  });
  closing.push(server.close);
  return say({ url: server.url, transport: 'sse' }, line);
}

async function overPost(
  line: string,
  type: string,
  answer: (response: ServerResponse, body: string) => unknown,
): Promise<McpCallResult> {
  const server = await listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (body === '') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const called = method === 'tools/call';
    response.writeHead(200, { 'content-type': called ? type : 'application/json' });
    if (called) answer(response, line.replaceAll('ID', id));
    else response.end(replyTo(id, method));
  });
  closing.push(server.close);
  return say({ url: server.url }, line);
}

const RESULTS: { [method: string]: object } = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } },
  'tools/list': { tools: [{ name: 'say', inputSchema: { type: 'object' } }] },
};

function replyTo(id: number, method: string): string {
  const result = RESULTS[method];
  const reply = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
  return JSON.stringify({ jsonrpc: '2.0', id, ...reply });
}

async function say(definition: McpServer, line: string): Promise<McpCallResult> {
  const spec = await specOf(connections, definition, 'say', { timeout: 20_000 });
  return callMcpTool(connections, definition, spec, { line }, { signal: new AbortController().signal });
}
