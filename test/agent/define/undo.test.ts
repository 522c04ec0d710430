import { defineAgent, defineContract, defineTool, signalService, type ToolPolicy } from 'holdfast';
import { z } from 'zod';
import { makeManifest } from '../../../activities/context/make-manifest';
import { toolSpec } from '../../workflows/state-data';
import { fault } from '../fault';

const tool = { description: 'Works', inputSchema: z.object({}), execute: () => ({ id: 'r1' }) };
const undo = () => 'taken back';
const back: NonNullable<ToolPolicy['undo']> = () => ({ tool: 'files.move', input: {} });
const Ship = defineContract({
  type: 'goods.ship',
  versions: { '1.0.0': { accepts: z.object({}), emits: { 'evt.goods.ship.success': z.object({}) } } },
});

const agent = (more: object) => () => defineAgent({ name: 'a.b', ...more });
const policies = (name: string, policy: object) =>
  agent({
    tools: { put: defineTool(tool) },
    services: { ship: signalService(Ship, '1.0.0') },
    mcp: { files: { command: 'files' } },
    files: { root: '.' },
    policies: { [name]: policy },
  });

it.each<[string, () => unknown, string[]]>([
  ['that is not a function', () => defineTool({ ...tool, undo: 'no' as never }), ['Tool `Works`.undo', 'function']],
  ['of a tool that reads', () => defineTool({ ...tool, effect: 'read', undo }), ['Tool `Works`.undo', '`read`']],
  [
    'of an MCP tool that is not a function',
    policies('files.move', { undo: 7 }),
    ['policies.files.move.undo', 'function'],
  ],
  ['of an MCP tool that reads', policies('files.move', { undo: back, effect: 'read' }), ['files.move.undo', '`read`']],
  ['in the policy of a tool of the agent', policies('put', { undo: back }), ['policies.put.undo', 'its own']],
  ['in the policy of a tool that reads files', policies('read_file', { undo: back }), ['policies.read_file.undo']],
  ['of a service', policies('ship', { undo: back }), ['policies.ship.undo', 'service']],
])('an undo %s is refused', (_, make, says) => {
  for (const said of says) expect(fault(make)).toContain(said);
});

it('a policy with effect `read` for a tool with an undo is refused', () => {
  const make = agent({ tools: { put: defineTool({ ...tool, undo }) }, policies: { put: { effect: 'read' } } });
  expect(fault(make)).toContain('policies.put.undo');
});

it('the manifest says which tools can be undone; MCP tools that only read cannot', () => {
  const { definition } = defineAgent({
    name: 'a.b',
    tools: { put: defineTool({ ...tool, undo }), send: defineTool(tool) },
    mcp: { files: { command: 'files' } },
    policies: { 'files.move': { undo: back }, 'files.list': { undo: back } },
  });
  const mcp = [toolSpec('files.move', { kind: 'mcp' }), toolSpec('files.list', { kind: 'mcp', effect: 'read' })];
  const { tools } = makeManifest(definition, mcp, { searchAttributes: false });
  expect(tools.filter((one) => one.undo).map(({ name }) => name)).toEqual(['put', 'files.move']);
});

it('an undo gets the types of the input and the result of `run`', () => {
  const seen: [number, string][] = [];
  const pay = defineTool({
    description: 'Pays',
    inputSchema: z.object({ amount: z.number() }),
    execute: async ({ amount }) => ({ id: `r${amount}` }),
    undo: ({ amount }, { id }) => seen.push([amount, id.toUpperCase()]),
  });
  pay.undo?.({ amount: 7 }, { id: 'r7' }, {} as never);
  expect(seen).toEqual([[7, 'R7']]);
});
