import type { BatchCall } from '../../../agent/state/batch';
import { isHeldBack } from '../../../workflows/state/selectors/calls';
import { waitingText } from '../../../workflows/view/status-waits';
import { batchCall } from '../state-data';

const call = (n: number, name: string, more: Parameters<typeof batchCall>[0] = {}) =>
  batchCall({ toolUseId: `t1.${n}`, name, ...more });
const outcome = { content: [] };

it('holds a call back until all calls of its lane before it have settled, in any order', () => {
  const held = (batch: BatchCall[]) => batch.map((one) => isHeldBack(batch, one));
  const [a, b, c] = [1, 2, 3].map((n) => call(n, 'note', { lane: 'note' })) as [BatchCall, ...BatchCall[]];
  const other = call(4, 'free');
  expect(held([a, b as BatchCall, c as BatchCall, other])).toEqual([false, true, true, false]);
  const settled = (one: BatchCall) => batchCall({ ...one, outcome });
  const denied = settled(b as BatchCall);
  expect(held([a, denied, c as BatchCall])).toEqual([false, true, true]);
  expect(held([settled(a), denied, c as BatchCall])).toEqual([false, false, false]);
});

it('does not count a call that waits for one before it as work', () => {
  const service = { ref: 'r', kind: 'signal', since: 0, status: 'awaited' } as const;
  const batch = [call(1, 'ask', { lane: '*', service }), call(2, 'free', { lane: '*' })];
  expect(waitingText({ batch, phase: { at: 'working' }, inbox: [] })).toMatch(/^waits for an answer of `ask`/);
  expect(waitingText({ batch: [...batch, call(3, 'free')], phase: { at: 'working' }, inbox: [] })).toBeUndefined();
});
