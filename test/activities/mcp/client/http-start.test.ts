import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { McpConnections } from '../../../../activities/mcp/connections';
import { discoverTools } from '../../../../activities/mcp/discover';
import type { McpHttpServer } from '../../../../agent/define/mcp-server';
import { FIXTURES } from '../../../sources';
import { type Listening, listen, listenMcp, text } from '../http-server';
import { collectedLog } from '../servers';

const log = collectedLog();
const connections = new McpConnections({ log });
const listening: Listening[] = [];
afterAll(async () => {
  await connections.close();
  for (const each of listening) await each.close();
});

async function answering(status: number, body: string, type = 'text/html'): Promise<string> {
  const server = await listen((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  listening.push(server);
  return server.url;
}

async function failure(definition: McpHttpServer): Promise<string> {
  const error = await discoverTools(connections, 'crm', definition).then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toMatchObject({ name: 'HoldfastError', type: 'McpServerFailed', data: { server: 'crm' } });
  expect(error.message).not.toContain('\n');
  return error.message;
}

test.each([401, 403])('HTTP %i names the headers, and none of their values', async (status) => {
  process.env.CRM_TOKEN = 'tok-1234567';
  const url = await answering(status, '{"error":{"message":"bad key tok-1234567, plain-98765"}}', 'application/json');
  const headers = { Authorization: { env: 'CRM_TOKEN', prefix: 'Bearer ' }, 'X-Key': 'Key plain-98765' };
  const message = await failure({ url: `${url}?key=query-4321`, headers });
  expect(message).toContain(`The MCP server \`crm\` at ${url}?key=*** cannot be used (HTTP ${status}`);
  expect(message).toMatch(/`headers`/);
  for (const secret of ['tok-1234567', 'plain-98765', 'query-4321']) {
    expect(message + JSON.stringify(log.entries)).not.toContain(secret);
  }
});

test('headers reach the server, those by reference with their prefix', async () => {
  process.env.CRM_TOKEN = 'tok-1234567';
  const server = await listenMcp({ hi: () => ({ content: [text('hi')] }) });
  listening.push(server);
  const headers = { Authorization: { env: 'CRM_TOKEN', prefix: 'Bearer ' }, 'X-Team': 'blue' };
  expect(await discoverTools(connections, 'crm', { url: server.url, headers })).toHaveLength(1);
  const sent = server.requests.map((request) => [request.headers.authorization, request.headers['x-team']]);
  expect(new Set(sent.map(String))).toEqual(new Set(['Bearer tok-1234567,blue']));
});

test('a variable that is not set is named', async () => {
  const message = await failure({
    url: 'http://127.0.0.1:9/mcp',
    headers: { Authorization: { env: 'NO_SUCH_TOKEN' } },
  });
  expect(message).toBe(
    'The MCP server `crm` at http://127.0.0.1:9/mcp cannot be used (the environment variable `NO_SUCH_TOKEN` is not set): set it where the worker runs, for the header `Authorization`.',
  );
});

test('a port on which nothing listens is named', async () => {
  const gone = await listen(() => {});
  await gone.close();
  expect(await failure({ url: gone.url })).toBe(
    `The MCP server \`crm\` at ${gone.url} cannot be used (nothing listens there (ECONNREFUSED)): start the server, or correct its \`url\`.`,
  );
});

test('a host that does not exist is named', async () => {
  expect(await failure({ url: 'http://no-such-host.invalid/mcp' })).toMatch(
    /there is no such host|could not be looked up/,
  );
});

test.each([
  ['200', 200],
  ['404', 404],
  ['500', 500],
])('a page instead of an answer, with HTTP %s, is not quoted', async (_name, status) => {
  const message = await failure({ url: await answering(status, '<!doctype html><h1>Welcome</h1>') });
  expect(message).not.toContain('Welcome');
  expect(message).toContain(status === 200 ? 'text/html, which is not MCP' : `HTTP ${status}`);
});

test('a certificate that is not trusted is named, with what to do', async () => {
  const pem = readFileSync(join(FIXTURES, 'mcp/self-signed.pem'));
  const server = createServer({ key: pem, cert: pem });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const message = await failure({ url: `https://127.0.0.1:${port}/mcp` });
  server.close();
  expect(message).toContain('a secure connection is not possible');
  expect(message).toContain('NODE_EXTRA_CA_CERTS');
});

test('a server that does not answer is given up after startTimeout', async () => {
  const silent = await listen((request) => void request.resume());
  listening.push(silent);
  expect(await failure({ url: silent.url, startTimeout: 300 })).toContain('did not answer in 0.3 s');
});
