import { isCompletion, laneOf } from '../../../agent/plan/lanes';
import { planCalls } from '../../../agent/plan/plan-calls';
import type { ToolSpec } from '../../../agent/protocol/manifest';
import { hashOfArguments } from '../../../runtime/sha256';
import { toolSpec } from '../../workflows/state-data';

const mcp = (server: string): Partial<ToolSpec> => ({
  kind: 'mcp',
  mcp: { server, tool: 'x', startTimeout: 1000 },
  serial: 'server',
});
const loop = (does: 'ask' | 'complete'): Partial<ToolSpec> => ({ kind: 'loop', loop: { does } });
const tools = [
  toolSpec('free'),
  toolSpec('note', { serial: 'tool' }),
  toolSpec('memo', { serial: 'tool' }),
  toolSpec('shop.take', mcp('shop')),
  toolSpec('shop.put', mcp('shop')),
  toolSpec('shop.look', { ...mcp('shop'), serial: 'tool' }),
  toolSpec('bank.take', mcp('bank')),
  toolSpec('task_completion', loop('complete')),
];
const problem = { type: 'InvalidArguments', message: 'no' } as const;

/** The lanes of calls of these tools. A call with `!` cannot be run. */
function lanes(names: string[], execution?: 'serial') {
  const requests = names.map((name) => ({
    name: name.replace('!', '').replace('.', '_'),
    input: {},
    hash: hashOfArguments({}),
    ...(name.endsWith('!') ? { problem } : {}),
  }));
  const manifest = { tools, ...(execution === undefined ? {} : { execution }) };
  return planCalls(requests, { turn: 1, manifest, unknownOutcomes: [] }).calls.map(({ lane }) => lane);
}

it('gives each serial tool and each serial server a lane', () => {
  const names = ['free', 'note', 'memo', 'shop.take', 'shop.put', 'shop.look', 'bank.take', 'note', 'nowhere'];
  const [free, note, memo, take, put, look, bank, again, nowhere] = lanes(names);
  expect([free, nowhere]).toEqual([undefined, undefined]);
  expect(note).toBe(again);
  expect(take).toBe(put);
  expect(new Set([note, memo, take, look, bank]).size).toBe(5);
});

it('puts all calls of a serial agent into one lane, except those that are not run and the result of the loop', () => {
  const [free, broken, last, take] = lanes(['free', 'note!', 'task_completion', 'shop.take'], 'serial');
  expect(free).toBeDefined();
  expect(take).toBe(free);
  expect([broken, last]).toEqual([undefined, undefined]);
});

it('gives a lane a name that no tool can have, unless the tool is a lane by itself', () => {
  const named = (more: Partial<ToolSpec>) => laneOf({}, toolSpec('shop.take', more));
  expect(named(mcp('shop'))).toBe('shop.*');
  expect(named({ ...mcp('shop'), serial: 'tool' })).toBe('shop.take');
  // Only tools of MCP servers have a server.
  expect(named({ serial: 'server' })).toBe('shop.take');
  expect(laneOf({ execution: 'serial' }, toolSpec('free'))).toBe('*');
});

it('knows the lane of a tool without a manifest', () => {
  expect(laneOf(undefined, toolSpec('note', { serial: 'tool' }))).toBe('note');
  expect(laneOf(undefined, toolSpec('free'))).toBeUndefined();
  expect(laneOf({ execution: 'serial' }, toolSpec('done', { ...loop('complete'), serial: 'tool' }))).toBeUndefined();
});

it('knows the tool that takes the result', () => {
  expect(isCompletion(toolSpec('done', loop('complete')))).toBe(true);
  expect(isCompletion(toolSpec('ask_question', loop('ask')))).toBe(false);
  expect(isCompletion(toolSpec('task_completion'))).toBe(false);
});
