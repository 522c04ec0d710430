import { serve, WORKED } from './serve';

test('a scope that the client does not get, and one that a call needs, are named with what to do', async () => {
  const denied = await serve({}, { scopes: ['tools:run', 'admin'] });
  expect(await denied.refusal()).toEqual({
    problem: `its authorization server ${denied.server.issuer} did not give the scopes \`tools:run admin\` (invalid_scope: not for you)`,
    advice: 'correct `auth.scopes`, or allow them for the client `holdfast` there',
  });
  const { call, spec, server } = await serve({ needed: 'tools:run' }, { scopes: [] });
  const result = await call(await spec());
  expect(result.error).toEqual({
    type: 'McpServerFailed',
    message:
      'The call did not reach the MCP server `s`: HTTP 403: it wants the scope `tools:run`, which the token does not have.',
  });
  expect({ unknown: result.unknown, ran: server.ran() }).toEqual({ unknown: undefined, ran: 0 });
});

test('a scope that a call needs is asked for once, for all calls, and each call runs once', async () => {
  const { call, spec, server } = await serve({ needed: 'tools:run' });
  const tool = await spec();
  expect(await Promise.all([call(tool), call(tool), call(tool)])).toEqual([WORKED, WORKED, WORKED]);
  expect(server.asked.map(({ scope }) => scope)).toEqual([undefined, 'tools:run']);
  expect(await call(tool)).toEqual(WORKED);
  expect({ asked: server.asked.length, ran: server.ran() }).toEqual({ asked: 2, ran: 4 });
});

test('a scope that the client does not get is told, and calls that do not need it go on', async () => {
  const { call, spec, server } = await serve({ needed: 'admin' });
  const tool = await spec();
  expect((await call(tool)).error).toEqual({
    type: 'McpServerFailed',
    message: `The call did not reach the MCP server \`s\`: its authorization server ${server.issuer} did not give the scopes \`admin\` (invalid_scope: not for you).`,
  });
  server.settings.needed = undefined;
  server.revoke();
  expect(await call(tool)).toEqual(WORKED);
  expect(server.ran()).toBe(1);
});

test('a server that wants a scope which the token has is asked no third time', async () => {
  const { call, spec, server } = await serve({ needed: 'tools:run', allowed: ['tools:run', 'more'] });
  const tool = await spec();
  expect(await call(tool)).toEqual(WORKED);
  server.settings.needed = 'more';
  expect(await call(tool)).toEqual(WORKED);
  expect(server.asked.map(({ scope }) => scope)).toEqual([undefined, 'tools:run', 'tools:run more']);
});
