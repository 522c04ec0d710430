import { callMcpTool } from '../../activities/mcp/call-tool';
import { McpConnections } from '../../activities/mcp/connections';
import { fixture, specOf } from '../activities/mcp/servers';

const connections = new McpConnections();
afterAll(() => connections.close());

test.each([
  ['lines that are not messages, over pipes', 'garbage-for-ever'],
  ['questions, over pipes', 'pings-for-ever'],
])(
  '%s: a server that sends them without end is given up',
  async (_what, kind) => {
    const definition = fixture('hostile-server.mjs', [kind]);
    const spec = await specOf(connections, definition, 'do', { timeout: 120_000 });
    const { signal } = new AbortController();
    const result = await callMcpTool(connections, definition, spec, {}, { signal });
    expect(result).toMatchObject({ unknown: true });
    expect(JSON.stringify(result)).toContain('it sent more than 25000 unsolicited messages');
    // The next use finds a new process, or session.
    expect(await specOf(connections, definition, 'do')).toMatchObject({ name: 's.do' });
  },
  120_000,
);

test('a server that stops reading in a call is restarted for the next caller', async () => {
  const definition = fixture('hostile-server.mjs', ['deaf']);
  const spec = await specOf(connections, definition, 'do', { timeout: 200 });
  const { signal } = new AbortController();
  const result = await callMcpTool(connections, definition, spec, {}, { signal });
  expect(result).toMatchObject({ error: { type: 'ToolTimedOut' }, unknown: true });
  expect(await specOf(connections, definition, 'do')).toMatchObject({ name: 's.do' });
});
