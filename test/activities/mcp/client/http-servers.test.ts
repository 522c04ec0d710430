import { type ChildProcess, spawn } from 'node:child_process';
import { createMcpHandler, McpServer, type McpServer as ModernServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { callMcpTool } from '../../../../activities/mcp/call-tool';
import { McpConnections } from '../../../../activities/mcp/connections';
import { discoverTools } from '../../../../activities/mcp/discover';
import type { McpHttpServer } from '../../../../agent/define/mcp-server';
import type { JsonObject } from '../../../../agent/values/json';
import { until } from '../../../until';
import { listen, text } from '../http-server';
import { collectedLog, published, specOf } from '../servers';

const log = collectedLog();
const connections = new McpConnections({ log });
const closing: (() => unknown)[] = [];
afterAll(async () => {
  await connections.close();
  for (const close of closing) await close();
});

/** server-everything in a separate process, on a free port. */
async function everything(mode: 'streamableHttp' | 'sse'): Promise<{ port: number; child: ChildProcess }> {
  const probe = await listen(() => {});
  const port = Number(new URL(probe.url).port);
  await probe.close();
  const { command, args = [] } = published('everything', [mode]);
  const child = spawn(command, args, {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  closing.push(() => child.kill());
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  await until(() => said.includes(String(port)), 'the server to listen');
  return { port, child };
}

async function run(definition: McpHttpServer, tool: string, args: JsonObject, onProgress?: (said: object) => void) {
  const spec = await specOf(connections, definition, tool);
  return callMcpTool(connections, definition, spec, args, { signal: new AbortController().signal, onProgress });
}

test('server-everything lists and runs its tools over Streamable HTTP, with images, links and progress', async () => {
  const { port } = await everything('streamableHttp');
  const definition = { url: `http://127.0.0.1:${port}/mcp` };
  expect((await discoverTools(connections, 's', definition)).length).toBeGreaterThanOrEqual(13);
  expect(await run(definition, 'echo', { message: 'hi' })).toEqual({ content: [text('Echo: hi')] });
  const image = expect.objectContaining({ type: 'media', mediaType: 'image/png' });
  expect((await run(definition, 'get-tiny-image', {})).content).toContainEqual(image);
  const links = (await run(definition, 'get-resource-links', { count: 2 })).content;
  expect(links.filter((part) => part.type === 'text' && /\(.+:\/\/.+\)$/.test(part.text))).toHaveLength(2);
  const seen: object[] = [];
  await run(definition, 'trigger-long-running-operation', { duration: 1, steps: 4 }, (said) => seen.push(said));
  expect(seen).toContainEqual(expect.objectContaining({ progress: 4, total: 4 }));
});

test('a server that was restarted gets a new session', async () => {
  const { port, child } = await everything('streamableHttp');
  const definition = { url: `http://127.0.0.1:${port}/mcp` };
  const spec = await specOf(connections, definition, 'echo');
  child.kill('SIGKILL');
  await until(() => child.signalCode !== null, 'its end');
  const { command, args = [] } = published('everything', ['streamableHttp']);
  const again = spawn(command, args, {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  closing.push(() => again.kill());
  await new Promise((resolve) => again.stderr?.once('data', resolve));
  const signal = new AbortController().signal;
  const result = await callMcpTool(connections, definition, spec, { message: 'hi' }, { signal });
  expect(result).toEqual({ content: [text('Echo: hi')] });
});

test.each([
  ['detected', {}],
  ['named', { transport: 'sse' as const }],
])('server-everything over SSE alone, the transport being %s', async (_how, more) => {
  const { port, child } = await everything('sse');
  const definition = { url: `http://127.0.0.1:${port}/sse`, ...more };
  expect((await discoverTools(connections, 's', definition)).length).toBeGreaterThanOrEqual(13);
  expect(await run(definition, 'echo', { message: 'hi' })).toEqual({ content: [text('Echo: hi')] });
  const seen: object[] = [];
  const calling = run(definition, 'trigger-long-running-operation', { duration: 30, steps: 30 }, (said) =>
    seen.push(said),
  );
  await until(() => seen.length > 0, 'progress');
  child.kill('SIGKILL');
  expect(await calling).toMatchObject({ error: { type: 'McpServerFailed' }, unknown: true });
});

test('a server of the 2026 protocol is used without a session: results, progress, refusals, cancellation', async () => {
  const methods: string[] = [];
  let aborted = false;
  const handler = createMcpHandler(() =>
    modernServer({
      onAbort: () => {
        aborted = true;
      },
    }),
  );
  const server = await listen(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    if (body !== '') methods.push(JSON.parse(body).method);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { method = 'POST', headers, url } = request;
    const init = { method, headers: headers as Record<string, string>, signal: gone.signal };
    const answer = await handler.fetch(new Request(`http://localhost${url}`, body === '' ? init : { ...init, body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  });
  closing.push(server.close);
  const definition = { url: server.url };
  expect(await run(definition, 'greet', { name: 'Ada' })).toEqual({ content: [text('Hello Ada')] });
  const seen: object[] = [];
  expect(await run(definition, 'work', {}, (said) => seen.push(said))).toEqual({ content: [text('done')] });
  expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }]);
  expect(methods).toContain('server/discover');
  expect(methods).not.toContain('initialize');
  const abort = new AbortController();
  const spec = await specOf(connections, definition, 'hang');
  const calling = callMcpTool(connections, definition, spec, {}, { signal: abort.signal });
  calling.catch(() => {});
  await until(() => methods.filter((method) => method === 'tools/call').length === 3, 'the call');
  abort.abort(new Error('enough'));
  await expect(calling).rejects.toThrow('enough');
  await until(() => aborted, 'the cancellation');
  // Since 2026 a server announces changes only to subscribers.
  await until(() => methods.includes('subscriptions/listen'), 'the subscription');
  handler.notify.toolsChanged();
  await until(() => log.entries.some((entry) => JSON.stringify(entry).includes(server.url)), 'the note');
});

function modernServer({ onAbort }: { onAbort(): void }): ModernServer {
  const server = new McpServer({ name: 'modern', version: '1' });
  const inputSchema = z.object({ name: z.string() });
  server.registerTool('greet', { inputSchema }, ({ name }) => ({ content: [text(`Hello ${name}`)] }));
  server.registerTool('work', {}, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken ?? '';
    const params = { progressToken, progress: 1, total: 2, message: 'half' };
    await ctx.mcpReq.notify({ method: 'notifications/progress', params });
    return { content: [text('done')] };
  });
  server.registerTool('hang', {}, (ctx) => {
    ctx.mcpReq.signal.addEventListener('abort', onAbort);
    return new Promise<never>(() => {});
  });
  return server;
}
