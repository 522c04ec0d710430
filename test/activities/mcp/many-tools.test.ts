import { json } from 'node:stream/consumers';
import { McpConnections } from '../../../activities/mcp/connections';
import { discoverTools } from '../../../activities/mcp/discover';
import type { McpServer, McpStdioServer } from '../../../agent/define/mcp-server';
import type { HoldfastError } from '../../../agent/errors/error';
import { closeAfterTest } from '../../close-after-test';
import { listen } from './http-server';
import { collectedLog, fixture } from './servers';

const log = collectedLog();
const connections = new McpConnections({ log });
afterAll(() => connections.close());

function manyTools(env: { [name: string]: string }, more: Partial<McpStdioServer> = {}): McpStdioServer {
  return fixture('many-tools-server.mjs', [], { env, ...more });
}

async function failure(definition: McpServer) {
  const error: HoldfastError = await discoverTools(connections, 'many', definition).then(
    () => Promise.reject(new Error('It has tools')),
    (thrown) => thrown,
  );
  return { ...error.data, cause: error.cause };
}

test('the tools of 200 pages are listed', async () => {
  expect(await discoverTools(connections, 'many', manyTools({ TOOLS: '20000', PAGE: '100' }))).toHaveLength(20_000);
});

test('of 100 MB of tools an agent gets those that `tools` of the server names', async () => {
  const env = { TOOLS: '2000', PAGE: '100', SCHEMA: '50000' };
  const tools = await discoverTools(connections, 'many', manyTools(env, { tools: ['tool_199*', 'tool_3', 'gone'] }));
  expect(tools.map(({ name }) => name)).toEqual([
    ...['many.tool_199', ...Array.from({ length: 10 }, (_, i) => `many.tool_199${i}`), 'many.tool_3'],
  ]);
  expect(log.entries).toContainEqual({ server: 'many', tool: 'gone' });
});

test('a tool with hints that are nested deeper than the stack is listed without them', async () => {
  const [tool] = await discoverTools(connections, 'deep', fixture('faulty-server.mjs', ['deep-hints', '100000']));
  expect(tool).toMatchObject({ inputSchema: { type: 'object' }, annotations: {} });
});

test('without `tools`, so many are refused for good', async () => {
  expect(await failure(manyTools({ TOOLS: '2000', PAGE: '100', SCHEMA: '50000' }))).toMatchObject({
    problem: 'its tools have more than 32 MB',
    advice: 'name those that the agent needs in `tools` of this server',
    cause: { lasting: true },
  });
});

test('a list that is too large for one message is refused for good', async () => {
  expect(await failure(manyTools({ TOOLS: '20000', PAGE: '20000' }))).toMatchObject({
    problem: 'did not list its tools: it sent a message of more than 100000 values',
    advice: 'have it list its tools on pages, with fewer tools on each',
    cause: { lasting: true },
  });
});

test.each(['application/json', 'text/event-stream'])('so is one over HTTP with %s', async (type) => {
  const tools = Array.from({ length: 20_000 }, (_, i) => ({
    ...{ name: `tool_${i}`, description: 'Does.' },
    inputSchema: { type: 'object', properties: { text: { type: 'string', description: 'The text.' } } },
  }));
  const results: { [method: string]: object } = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
    'tools/list': { tools },
  };
  const { url, close } = await listen(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = (await json(request)) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const reply = method in results ? { result: results[method] } : { error: { code: -32601, message: 'unknown' } };
    const message = JSON.stringify({ jsonrpc: '2.0', id, ...reply });
    response.writeHead(200, { 'content-type': type });
    response.end(type === 'application/json' ? message : `data: ${message}\n\n`);
  });
  closeAfterTest({ close });
  expect(await failure({ url })).toMatchObject({
    problem: 'did not list its tools: an answer of more than 100000 values',
    advice: 'have it list its tools on pages, with fewer tools on each',
    cause: { lasting: true },
  });
});

test('a list with ever new cursors is refused for good', async () => {
  expect(await failure(manyTools({ ENDLESS: 'new', PAGE: '1' }))).toMatchObject({
    problem: 'its list of tools has more than 1000 pages',
    advice: 'have it list more tools on each page, and end the list',
    cause: { lasting: true },
  });
});

test('a cursor that comes again ends the list', async () => {
  expect(await discoverTools(connections, 'many', manyTools({ ENDLESS: 'same', PAGE: '7' }))).toHaveLength(7);
  expect(await discoverTools(connections, 'many', manyTools({ ENDLESS: 'turns', PAGE: '7' }))).toHaveLength(14);
});

test('a list that fails in another way is tried again', async () => {
  const definition = fixture('line-server.mjs', ['mute-list'], { startTimeout: 300 });
  expect(await failure(definition)).toMatchObject({ cause: { lasting: false } });
});
