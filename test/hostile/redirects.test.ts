import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpConnections } from '../../activities/mcp/connections';
import { discoverTools } from '../../activities/mcp/discover';
import { ask, configOf, failureOf, model } from '../activities/model/asking';
import { text } from '../kit/scripted-model';

const stolen: string[] = [];
let stranger: Server;
let home: Server;
beforeAll(async () => {
  stranger = createServer((request, response) => {
    stolen.push(String(request.url));
    response.end('{}');
  });
  home = createServer((_request, response) => {
    response.writeHead(307, { location: `${addressOf(stranger)}/v1` }).end();
  });
  await Promise.all([stranger, home].map((one) => new Promise<void>((done) => one.listen(0, '127.0.0.1', done))));
});
afterAll(() => {
  for (const server of [stranger, home]) server.close();
});
afterEach(() => expect(stolen).toEqual([]));

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

test('a model server that redirects to another origin is not followed, and the error names the target', async () => {
  const config = { ...configOf(await model(text('never'))), baseUrl: addressOf(home) };
  const failure = await failureOf(ask(config));
  expect(failure).toMatchObject({ type: 'ModelRequestInvalid', nonRetryable: true });
  expect(failure.message).toContain(`it redirects to ${addressOf(stranger)}`);
});

test('an MCP server that redirects to another origin is not followed, and the error says what to correct', async () => {
  const connections = new McpConnections();
  const definition = { url: `${addressOf(home)}/mcp`, headers: { 'x-api-key': 'secret' } };
  const error = await discoverTools(connections, 'crm', definition).catch((thrown: unknown) => thrown);
  await connections.close();
  expect(error).toMatchObject({ type: 'McpServerFailed' });
  expect((error as Error).message).toContain(`it redirects to ${addressOf(stranger)}`);
  expect((error as Error).message).toContain('correct its `url`');
});
