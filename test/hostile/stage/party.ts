import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../agent/values/json';
import { exchangeOf } from '../../kit/http-exchange';
import type { ChatMessage, ChatRequest } from '../../kit/model-reply';
import { text } from '../../kit/scripted-model';
import { QuestionAnswer } from '../../kit/send-reply';
import { DONE, type HostileInput, type HttpInput, RECOVERED, type Turn } from '../inputs/input';
import { SURFACES, type SurfaceName } from '../inputs/surfaces';

/** The hostile party: models and MCP servers in a separate process, so that their work burdens no test. */
const asked = new Map<string, number>();

/** How often this was requested before. */
function earlier(what: string): number {
  const count = asked.get(what) ?? 0;
  asked.set(what, count + 1);
  return count;
}

async function chat(message: IncomingMessage, out: ServerResponse): Promise<void> {
  const request = JSON.parse(await bodyOf(message)) as ChatRequest;
  const { messages } = request;
  const { run, surface, name } = JSON.parse(textOf(messages.find(({ role }) => role === 'user'))) as Asked;
  const turn = messages.filter(({ role }) => role === 'assistant').length;
  const attempt = earlier(`${run} ${turn}`);
  const input = SURFACES[surface].find((one) => one.name === name) as HostileInput;
  const step: Turn = input.script?.[turn] ?? text(DONE);
  const again = typeof step === 'function' && attempt > 0;
  const said = again ? text(RECOVERED) : step;
  if (typeof said === 'function') return said(out, request);
  const reply = new QuestionAnswer(out, request, attempt, exchangeOf(out));
  await ('raw' in said ? reply.raw(said) : reply.send(said));
}

export interface Asked {
  run: string;
  surface: SurfaceName;
  name: string;
}

const TOOL = '{"name":"do","inputSchema":{"type":"object"}}';
const CAPABILITIES = { tools: { listChanged: true } };

async function mcp(message: IncomingMessage, out: ServerResponse): Promise<void> {
  const [, , surface, name] = (message.url ?? '').split(/[/?]/);
  const inputs: readonly HttpInput[] = surface === 'http' ? SURFACES.http : SURFACES.schema;
  const { server } = inputs.find((one) => one.name === name) as HttpInput;
  if (message.method !== 'POST') return void out.writeHead(405).end();
  const { id, method, params } = JSON.parse(await bodyOf(message)) as {
    id?: number;
    method: string;
    params?: JsonObject;
  };
  if (id === undefined) return void out.writeHead(202).end();
  const call = { out, id, params };
  const send = (what: 'result' | 'error', json: string, headers = {}) => {
    out.writeHead(200, { 'content-type': 'application/json', ...headers });
    out.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"${what}":${json}}`);
  };
  if (method === 'initialize') {
    const serverInfo = { name: 'hostile', version: '1' };
    const result = { protocolVersion: '2025-11-25', capabilities: CAPABILITIES, serverInfo };
    send('result', JSON.stringify(result), { 'mcp-session-id': `session-${name}` });
  } else if (method === 'tools/list') send('result', `{"tools":[${server.tool ?? TOOL}]}`);
  else if (method !== 'tools/call') send('error', `{"code":-32601,"message":"Method not found: ${method}"}`);
  else if (server.call === undefined) send('result', '{"content":[{"type":"text","text":"fine"}]}');
  else await server.call(call);
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of message.setEncoding('utf8')) body += part;
  return body;
}

function textOf(message: ChatMessage | undefined): string {
  const { content } = message ?? {};
  return typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');
}

const server = createServer((message, out) => {
  out.on('error', () => undefined);
  const handle = message.url?.startsWith('/mcp/') ? mcp : chat;
  // The remaining errors come from a client that went away, which is what it should do.
  handle(message, out).catch(() => out.destroy());
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('disconnect', () => process.exit(0));
