import { mayShrink, trimmingInput } from '../../../workflows/turn/trimming';
import { runState } from '../state-data';

const messages = Array.from({ length: 3 }, (_, turn) => ({ role: 'user' as const, parts: [], turn }));
const leaving = (from: number, more: object = {}) =>
  trimmingInput(runState([], { messages, opened: 1, trimming: { from, ...more } }));

test('messages left out before are left out again, even when no window is known', () => {
  expect(leaving(0)).toEqual({});
  expect(leaving(1)).toEqual({ trimming: { from: 1 }, opened: 1 });
});

test('the last message is always sent; when fewer remain than were left out, the activity chooses again', () => {
  const learned = { window: 900, factor: 1.5 };
  expect(leaving(2, learned)).toEqual({ trimming: { from: 2, ...learned }, opened: 1 });
  expect(leaving(3, learned)).toEqual({ trimming: { from: 0, ...learned }, opened: 1 });
});

test('a run whose agent is not known yet has no trimming input', () => {
  const { manifest: _, ...state } = runState();
  expect(trimmingInput(state)).toEqual({});
});

test('a call refused as too long is not repeated when nothing is known about its window', () => {
  expect(mayShrink('ModelContextTooLong', undefined, 0)).toBe(false);
});
