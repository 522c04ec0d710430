import type { McpConnections } from '../../../activities/mcp/connections';
import { discoverTools } from '../../../activities/mcp/discover';
import type { McpServer } from '../../../agent/define/mcp-server';

const HINTS = {
  none: undefined,
  reads: { readOnlyHint: true },
  adds: { readOnlyHint: false, destructiveHint: false },
  destroys: { destructiveHint: true },
  contradicts: { readOnlyHint: true, destructiveHint: true },
  writes: { readOnlyHint: false },
  odd: { readOnlyHint: 'true', destructiveHint: 'false' },
};

/** Names of the tools that wait for a person. */
async function waiting(settings: Partial<McpServer>): Promise<string[]> {
  const tools = Object.entries(HINTS).map(([name, annotations]) => ({ name, annotations, inputSchema: {} }));
  const open = { listTools: () => Promise.resolve(tools) };
  const connections = { use: (_: unknown, work: (server: typeof open) => unknown) => work(open) };
  const definition: McpServer = { command: 'x', ...settings } as McpServer;
  const specs = await discoverTools(connections as unknown as McpConnections, 'srv', definition);
  const found = specs.filter(({ approval }) => approval !== undefined);
  for (const { approval } of found) expect(approval).toEqual({ asks: false, onExpire: 'deny' });
  return found.map(({ mcp }) => mcp?.tool ?? '').sort();
}

const ALL = Object.keys(HINTS).sort();

it.each<[string, Partial<McpServer>, string[]]>([
  ['a server that says nothing', {}, []],
  ['never', { approval: 'never', trusted: true }, []],
  ['always, of a trusted server too', { approval: 'always', trusted: true }, ALL],
  ['hints of a server that is not trusted', { approval: 'hints' }, ALL],
  [
    'hints of a trusted server',
    { approval: 'hints', trusted: true },
    ['contradicts', 'destroys', 'none', 'odd', 'writes'],
  ],
])('%s: these tools wait for a person', async (_what, settings, expected) => {
  expect(await waiting(settings)).toEqual(expected);
});
