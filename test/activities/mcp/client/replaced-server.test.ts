import { callMcpTool } from '../../../../activities/mcp/call-tool';
import { McpConnections } from '../../../../activities/mcp/connections';
import { discoverTools } from '../../../../activities/mcp/discover';
import { type Listening, listen } from '../http-server';
import { specOf } from '../servers';

const connections = new McpConnections();
const listening: Listening[] = [];
afterAll(async () => {
  await connections.close();
  for (const each of listening) await each.close();
});

type Era = '2025' | '2026';

/** A server without sessions that speaks only one version of the protocol: the one of `era`, which may change. */
async function changing(era: Era) {
  /** Milliseconds before the first request is answered. */
  const state = { era, calls: 0, coldStart: 0 };
  const { url, close } = await listen(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method } = JSON.parse(body);
    const cold = state.coldStart;
    state.coldStart = 0;
    if (cold > 0) await new Promise((resolve) => setTimeout(resolve, cold));
    if (id === undefined) return void response.writeHead(202).end();
    const modern = state.era === '2026';
    const spoken = request.headers['mcp-protocol-version'] === '2026-07-28';
    if (modern !== spoken) return refuse(`Bad Request: Unsupported protocol version`);
    if (method === 'tools/call') state.calls++;
    const common = modern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
    const result = { ...common, ...RESULTS[method] };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));

    function refuse(message: string) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }));
    }
  });
  listening.push({ url, close });
  return { url, state };
}

const RESULTS: { [method: string]: object } = {
  'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
  'tools/list': { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'hello' }] },
};

test.each<[Era, Era]>([
  ['2026', '2025'],
  ['2025', '2026'],
])('a server of %s that one of %s replaces is used as that one at once', async (before, after) => {
  const { url, state } = await changing(before);
  const spec = await specOf(connections, { url }, 'ask');
  const call = () => callMcpTool(connections, { url }, spec, {}, { signal: new AbortController().signal });
  expect(await call()).toEqual({ content: [{ type: 'text', text: 'hello' }] });
  state.era = after;
  expect(await call()).toEqual({ content: [{ type: 'text', text: 'hello' }] });
  expect(state.calls).toBe(2);
  expect(await discoverTools(connections, 's', { url })).toHaveLength(1);
});

test('a server of 2026 whose first answer comes late is used as that one, though it refuses the older handshake', async () => {
  const { url, state } = await changing('2026');
  state.coldStart = 4000;
  expect(await discoverTools(connections, 's', { url, startTimeout: '6s' })).toHaveLength(1);
});
