import { callMcpTool } from '../../../../../activities/mcp/call-tool';
import { McpConnections } from '../../../../../activities/mcp/connections';
import { discoverTools } from '../../../../../activities/mcp/discover';
import type { McpHttpServer } from '../../../../../agent/define/mcp-server';
import { closeAfterTest } from '../../../../close-after-test';
import { CLIENT, oauthServer } from '../../../../fixtures/mcp/oauth-server';
import { specOf } from '../../servers';
import { serve, WORKED } from './serve';

test('a worker gets one token for a server, for the resource that its metadata name, and keeps it across connections', async () => {
  const { server, definition, call, spec, connections } = await serve({}, { scopes: ['tools:run'] });
  const tool = await spec();
  expect(await Promise.all([call(tool), call(tool), call(tool)])).toEqual([WORKED, WORKED, WORKED]);
  await connections.close();
  const other = closeAfterTest(new McpConnections());
  expect(await callMcpTool(other, definition, tool, {}, { signal: new AbortController().signal })).toEqual(WORKED);
  expect(server.asked).toEqual([{ scope: 'tools:run', resource: server.url }]);
});

test('a token is replaced shortly before it ends', async () => {
  const { server, call, spec } = await serve({ lifetime: 1 });
  const tool = await spec();
  expect(server.asked).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve, 950));
  expect(await call(tool)).toEqual(WORKED);
  // A slow machine may need another one for the call.
  expect(server.asked.length).toBeGreaterThanOrEqual(2);
  expect(server.ran()).toBe(1);
});

test('a token that the server no longer takes is replaced once for all calls, and each call runs once', async () => {
  const { server, call, spec } = await serve();
  const tool = await spec();
  server.revoke();
  expect(await Promise.all([call(tool), call(tool), call(tool)])).toEqual([WORKED, WORKED, WORKED]);
  expect({ asked: server.asked.length, ran: server.ran() }).toEqual({ asked: 2, ran: 3 });
});

test('a server that takes no token at all is told after one more', async () => {
  const { server, call, spec, refusal, definition } = await serve();
  const tool = await spec();
  server.settings.refusesAll = true;
  const result = await call(tool);
  expect(result).toMatchObject({ error: { type: 'McpServerFailed' } });
  expect(result.unknown).toBeUndefined();
  expect(result.error?.message).toBe('The call did not reach the MCP server `s`: HTTP 401, also with a new token.');
  expect(server.asked).toHaveLength(2);
  expect(await refusal({ ...definition, startTimeout: 20_000 })).toEqual({
    problem: 'HTTP 401, also with a new token',
    advice: 'allow the client `holdfast` to use this server, at its authorization server',
  });
  expect(server.ran()).toBe(0);
});

test('metadata that cannot be read at the moment are told, and no token for anything is asked for instead', async () => {
  const { server, refusal, definition, spec, call } = await serve({ isBroken: true });
  expect(await refusal({ ...definition, startTimeout: 20_000 })).toEqual({
    problem: expect.stringMatching(
      /^its metadata at http:.*\/\.well-known\/oauth-protected-resource\/mcp cannot be read/,
    ),
    advice: 'see its own log for the reason',
  });
  expect(server.asked).toEqual([]);
  server.settings.isBroken = false;
  expect(await call(await spec())).toEqual(WORKED);
});

test('a wrong secret is told as such, and appears nowhere', async () => {
  const { server, refusal } = await serve({}, { clientSecret: 'wr0ng-s3cret-Y8' });
  expect(await refusal()).toEqual({
    problem: `its authorization server ${server.issuer} refused the client \`holdfast\` (invalid_client: no such client, or not ***)`,
    advice: 'correct `auth.clientId` and `auth.clientSecret`',
  });
});

test('a token appears in no error', async () => {
  const { server, call, spec } = await serve({ echoes: true });
  const tool = await spec();
  const [token = ''] = server.ever;
  server.settings.refusesAll = true;
  const { error } = await call(tool);
  expect(token).toMatch(/^tk-/);
  for (const one of server.ever) expect(JSON.stringify(error)).not.toContain(one);
});

test('an authorization server that is away is told with its address', async () => {
  const { server, refusal } = await serve();
  await server.stopIssuer();
  expect(await refusal()).toEqual({
    problem: `its authorization server ${server.issuer} cannot be reached: nothing listens there (ECONNREFUSED)`,
    advice: 'start it, check the network, or correct `auth.issuer`',
  });
});

test.each([
  [{ status: 500, body: '<h1>Oops</h1>' }, /gave no token \(HTTP 500\)$/],
  [{ status: 200, body: { hello: 'world' } }, /answers with something else than OAuth prescribes$/],
  [
    { status: 400, body: { error: 'unauthorized_client' } },
    /gives the client `holdfast` no token without a person \(unauthorized_client\)$/,
  ],
])('an answer %j of the authorization server gives no token', async (error, says) => {
  const { refusal } = await serve({ error });
  expect((await refusal()).problem).toMatch(says);
});

test('a secret goes to no authorization server but the one that the definition names', async () => {
  const other = closeAfterTest(await oauthServer());
  const wrong = await serve({}, { issuer: other.issuer });
  expect(await wrong.refusal()).toEqual({
    problem: `its authorization server is ${wrong.server.issuer}, not ${other.issuer}`,
    advice: 'correct `auth.issuer`, if that is the right one',
  });
  const { server, refusal } = await serve();
  expect(await refusal({ url: server.url, auth: CLIENT })).toEqual({
    problem: `it names the authorization server ${server.issuer}, which is at another address`,
    advice: `write \`issuer: ${server.issuer}\` under \`auth\`, if the client's secret belongs there`,
  });
  expect([...other.asked, ...wrong.server.asked, ...server.asked]).toEqual([]);
});

test('a server whose tokens only people get, and one that wants OAuth of a worker without it, say what to do instead', async () => {
  const { refusal, server } = await serve({ grants: ['authorization_code'] });
  expect(await refusal()).toEqual({
    problem: `its authorization server ${server.issuer} gives tokens only to people who log in`,
    advice: 'get a token for it, and send that in `headers` instead of `auth`: a worker runs without a person',
  });
  expect(await refusal({ url: server.url })).toEqual({
    problem: 'HTTP 401: no',
    advice:
      'it wants a token of OAuth: set `auth` with a client of its authorization server, or, if only people can log in there, send a token in `headers`',
  });
});

test('a server that publishes no metadata is asked at the address that the definition names', async () => {
  const { call, spec, server } = await serve({ names: false });
  expect(await call(await spec())).toEqual(WORKED);
  expect(server.asked).toEqual([{ scope: undefined, resource: undefined }]);
});

test('an authorization server without metadata is asked at `/token`', async () => {
  const { call, spec, server, refusal, definition } = await serve({ describes: false });
  expect(await call(await spec())).toEqual(WORKED);
  expect(server.asked).toEqual([{ scope: undefined, resource: server.url }]);
  server.settings.gives = false;
  expect(
    await refusal({ ...definition, startTimeout: 20_000, auth: { ...CLIENT, issuer: `${server.issuer}/` } }),
  ).toEqual({
    problem: `its authorization server ${server.issuer} publishes no metadata, and has no \`/token\``,
    advice: 'correct `auth.issuer`, or get a token for it, and send that in `headers` instead of `auth`',
  });
});

test('a server over the transport of 2024 gets tokens too, also for a call after the last one was revoked', async () => {
  const server = closeAfterTest(await oauthServer({ names: false }));
  const connections = closeAfterTest(new McpConnections());
  const auth = { ...CLIENT, issuer: server.issuer };
  const definition: McpHttpServer = { url: server.sse, transport: 'sse', auth };
  const spec = await specOf(connections, definition, 'work');
  server.revoke();
  const { signal } = new AbortController();
  expect(await callMcpTool(connections, definition, spec, {}, { signal })).toEqual(WORKED);
  expect({ asked: server.asked.length, ran: server.ran() }).toEqual({ asked: 2, ran: 1 });
  const wrong = { ...definition, auth: { ...auth, clientSecret: 'wr0ng-s3cret-Y8' } };
  await expect(discoverTools(connections, 's', wrong)).rejects.toMatchObject({
    data: {
      problem: expect.stringContaining('refused the client `holdfast` (invalid_client: no such client, or not ***)'),
    },
  });
  await expect(discoverTools(connections, 's', { url: server.sse, transport: 'sse' })).rejects.toMatchObject({
    data: { problem: expect.stringContaining('401'), advice: expect.stringContaining('set `auth`') },
  });
});

test('the secret comes from the environment of the worker', async () => {
  const auth = { clientSecret: { env: 'TEST_MCP_CLIENT_SECRET' } };
  const { refusal, call, spec } = await serve({}, auth);
  expect(await refusal()).toEqual({
    problem: 'the environment variable `TEST_MCP_CLIENT_SECRET` is not set',
    advice: 'set it where the worker runs, for `auth.clientSecret`',
  });
  process.env.TEST_MCP_CLIENT_SECRET = CLIENT.clientSecret;
  try {
    expect(await call(await spec())).toEqual(WORKED);
  } finally {
    delete process.env.TEST_MCP_CLIENT_SECRET;
  }
});
