import type { ServerResponse } from 'node:http';
import { McpConnections } from '../../../../activities/mcp/connections';
import { discoverTools } from '../../../../activities/mcp/discover';
import { closeAfterTest } from '../../../close-after-test';
import { listen } from '../http-server';

type Answer = (response: ServerResponse, id: number) => void;

const RESULTS: { [method: string]: object } = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
  'tools/list': { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] },
};

/** A server without any SDK that speaks only the protocol of 2025, and answers in its own way to what it does not know. */
async function oldServer(unknown: Answer) {
  const methods: string[] = [];
  const { url } = closeAfterTest(
    await listen(async (request, response) => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      let body = '';
      for await (const chunk of request) body += chunk;
      const { id, method } = JSON.parse(body);
      methods.push(method);
      if (id === undefined) return void response.writeHead(202).end();
      const result = RESULTS[method];
      if (result === undefined) return unknown(response, id);
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }),
  );
  return { url, methods };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const status =
  (code: number, body = '', type = 'application/json'): Answer =>
  (response) =>
    void response.writeHead(code, { 'content-type': type }).end(body);
const rpc = (more: object) => JSON.stringify({ jsonrpc: '2.0', ...more });
const error = (code: unknown) => ({ error: { code, message: 'Method not found' } });

const tools = (url: string) => {
  const connections = closeAfterTest(new McpConnections());
  return discoverTools(connections, 's', { url, startTimeout: '20s' });
};

test.each<[string, Answer]>([
  ['HTTP 500', status(500, 'Internal Server Error', 'text/plain')],
  ['HTTP 500 with an error', status(500, rpc({ id: null, ...error(-32603) }))],
  ['HTTP 501', status(501)],
  ['HTTP 400', status(400, rpc({ id: null, ...error(-32600) }))],
  ['HTTP 404', status(404, 'not found', 'text/plain')],
  ['an error whose id is null', status(200, rpc({ id: null, ...error(-32601) }))],
  ['an error without an id', status(200, rpc(error(-32601)))],
  ['an error of another code', (response, id) => status(200, rpc({ id, ...error(-32603) }))(response, id)],
  [
    'an error whose code is a text',
    (response, id) => status(200, rpc({ id, ...error('METHOD_NOT_FOUND') }))(response, id),
  ],
  [
    'an error with the code of a server of 2026',
    (response, id) => status(200, rpc({ id, ...error(-32022) }))(response, id),
  ],
  [
    'an event with an error whose id is null',
    status(200, `data: ${rpc({ id: null, ...error(-32601) })}\n\n`, 'text/event-stream'),
  ],
  ['a result that is null', (response, id) => status(200, rpc({ id, result: null }))(response, id)],
  ['a text', status(200, 'unknown method', 'text/plain')],
  ['JSON that is cut', status(200, '{"jsonrpc":')],
  ['nothing', status(200, '')],
  ['HTTP 204', (response) => void response.writeHead(204).end()],
])('an old server that answers the question for its era with %s is used', async (_what, unknown) => {
  const { url, methods } = await oldServer(unknown);
  expect(await tools(url)).toHaveLength(1);
  expect(methods.slice(0, 3)).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
});

test.each([502, 503, 504])('a server that answers with HTTP %i is down, and no other way is tried', async (code) => {
  const asked: string[] = [];
  const { url } = closeAfterTest(
    await listen((request, response) => {
      asked.push(request.method ?? '');
      response.writeHead(code).end();
    }),
  );
  await expect(tools(url)).rejects.toThrow(`HTTP ${code}`);
  expect(asked).toEqual(['POST']);
});

test('a server of 2026 that fails once is used as one of 2026 again', async () => {
  let healthy = false;
  const methods: string[] = [];
  const { url } = closeAfterTest(
    await listen(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const { id, method } = JSON.parse(body);
      methods.push(method);
      if (id === undefined) return void response.writeHead(202).end();
      if (method === 'server/discover' && !healthy) return status(500)(response, id);
      const modern = request.headers['mcp-protocol-version'] === '2026-07-28';
      const common = modern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
      const discovered = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
      const result = { ...common, ...(method === 'server/discover' ? discovered : RESULTS[method]) };
      response.writeHead(200, JSON_TYPE).end(rpc({ id, result }));
    }),
  );
  expect(await tools(url)).toHaveLength(1);
  expect(methods).toContain('initialize');
  healthy = true;
  methods.length = 0;
  expect(await tools(url)).toHaveLength(1);
  expect(methods).toEqual(['server/discover', 'tools/list']);
});
