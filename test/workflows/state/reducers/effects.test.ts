import type { ToolErrorType, ToolOutcome } from '../../../../agent/protocol/calls/tool-call';
import type { UndoEntry } from '../../../../agent/protocol/commands/undo';
import { step } from '../../../../workflows/state/reduce';
import { ofBytes } from '../../run/carry/carried-data';
import { batchCall, runState, toolSpec } from '../../state-data';

const tools = [toolSpec('put', { undo: true }), toolSpec('note', { effect: 'idempotent' })];
const said = (text: string) => [{ type: 'text' as const, text }];

/** The effects of a run after one more call has settled with this outcome. */
function settled(outcome: ToolOutcome, { name = 'put', input = {}, before = [] as UndoEntry[] } = {}): UndoEntry[] {
  const state = runState(tools, { batch: [batchCall({ name, input })], effects: before });
  return step(state, { type: 'settled', toolUseId: 't1.1', outcome }).state.effects;
}

test('a call that goes on once people have answered has taken no effect yet', () => {
  expect(settled({ content: [], needs: { requests: [] } })).toEqual([]);
});

test.each<ToolErrorType>([
  'OutcomeUnknown',
  'ResultTooLarge',
  'InvalidResult',
  'ServiceTimedOut',
  'ServiceCancelled',
  'InvalidAnswer',
])('a call that failed with %s may have taken effect: nothing older is undone past it', (type) => {
  const older = { toolUseId: 't0.1', name: 'put' };
  const error = { type, message: 'no' };
  expect(settled({ content: said('no'), error }, { before: [older] })).toStrictEqual([
    older,
    { toolUseId: 't1.1', name: 'put' },
  ]);
});

test.each<ToolErrorType>(['ToolFailed', 'ToolTimedOut', 'ToolCancelled', 'Denied', 'ServiceFailed'])(
  'a call that failed with %s has not taken effect',
  (type) => {
    expect(settled({ content: [], error: { type, message: 'no' } })).toEqual([]);
  },
);

test('a call that may be repeated takes effect too', () => {
  expect(settled({ content: [] }, { name: 'note' })).toStrictEqual([{ toolUseId: 't1.1', name: 'note' }]);
});

test('the data for an inverse is kept up to 64 KB: arguments, hash and result together', () => {
  const settledWith = (bytes: number) => {
    const { input, content } = ofBytes(bytes, (text) => ({ input: { a: 1 }, hash: 'h', content: said(text) }));
    return settled({ content }, { input });
  };
  expect(settledWith(64 * 1024)[0]?.inverse?.input).toEqual({ a: 1 });
  expect(settledWith(64 * 1024 + 1)).toStrictEqual([{ toolUseId: 't1.1', name: 'put' }]);
});

test('effects are all kept up to the limit', () => {
  const before = (length: number) => Array.from({ length }, (_, i) => ({ toolUseId: `t0.${i}`, name: 'put' }));
  expect(settled({ content: [] }, { before: before(199) })[0]?.toolUseId).toBe('t0.0');
  expect(settled({ content: [] }, { before: before(200) })[0]?.toolUseId).toBe('t0.1');
});
