import type { ToolSpec } from '../../../agent/protocol/manifest';
import type { BatchCall } from '../../../agent/state/state';
import { inLanes, isHeldBack } from '../../../workflows/state/serial-lanes';
import { waitingText } from '../../../workflows/view/status-waits';
import { plainManifest } from '../../activities/plain-manifest';
import { toolSpec } from '../state-data';

const mcp = (server: string): Partial<ToolSpec> => ({
  kind: 'mcp',
  mcp: { server, tool: 'x', startTimeout: 1000 },
  serial: 'server',
});
const tools = [
  toolSpec('free'),
  toolSpec('note', { serial: 'tool' }),
  toolSpec('memo', { serial: 'tool' }),
  toolSpec('shop.take', mcp('shop')),
  toolSpec('shop.put', mcp('shop')),
  toolSpec('shop.look', { ...mcp('shop'), serial: 'tool' }),
  toolSpec('bank.take', mcp('bank')),
  toolSpec('task_completion', { kind: 'loop', loop: { does: 'complete' } }),
];
const call = (n: number, name: string, more: Partial<BatchCall> = {}): BatchCall => ({
  toolUseId: `t1.${n}`,
  name,
  input: {},
  hash: 'h',
  ...more,
});
const problem = { type: 'InvalidArguments', message: 'no' } as const;
const outcome = { content: [] };
const lanes = (calls: BatchCall[], execution?: 'serial') =>
  inLanes({ ...plainManifest, tools, ...(execution === undefined ? {} : { execution }) }, calls).map(
    ({ lane }) => lane,
  );

it('gives each serial tool and each serial server a lane', () => {
  const names = ['free', 'note', 'memo', 'shop.take', 'shop.put', 'shop.look', 'bank.take', 'note', 'nowhere'];
  const [free, note, memo, take, put, look, bank, again, nowhere] = lanes(names.map((name, i) => call(i, name)));
  expect([free, nowhere]).toEqual([undefined, undefined]);
  expect(note).toBe(again);
  expect(take).toBe(put);
  expect(new Set([note, memo, take, look, bank]).size).toBe(5);
});

it('puts all calls of a serial agent into one lane, but for those that are not run and the result of the whole', () => {
  const calls = [call(1, 'free'), call(2, 'note', { problem }), call(3, 'task_completion'), call(4, 'shop.take')];
  const [free, broken, last, take] = lanes(calls, 'serial');
  expect(free).toBeDefined();
  expect(take).toBe(free);
  expect([broken, last]).toEqual([undefined, undefined]);
});

it('holds a call back until all calls of its lane before it have settled, in whichever order they do', () => {
  const held = (batch: BatchCall[]) => batch.map((one) => isHeldBack(batch, one));
  const [a, b, c] = [1, 2, 3].map((n) => call(n, 'note', { lane: 'note' })) as [BatchCall, ...BatchCall[]];
  const other = call(4, 'free');
  expect(held([a, b as BatchCall, c as BatchCall, other])).toEqual([false, true, true, false]);
  const denied = { ...(b as BatchCall), outcome };
  expect(held([a, denied, c as BatchCall])).toEqual([false, true, true]);
  expect(held([{ ...a, outcome }, denied, c as BatchCall])).toEqual([false, false, false]);
});

it('does not call it work that a call waits for one before it', () => {
  const service = { ref: 'r', way: 'signal', since: 0 } as const;
  const batch = [call(1, 'ask', { lane: '*', service }), call(2, 'free', { lane: '*' })];
  expect(waitingText({ batch, idle: false, inbox: [] })).toMatch(/^waits for an answer of `ask`/);
  expect(waitingText({ batch: [...batch, call(3, 'free')], idle: false, inbox: [] })).toBeUndefined();
});
