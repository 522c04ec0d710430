import { mayShrink, trimmingInput } from '../../../workflows/turn/trimming';
import { runState } from '../state-data';

const messages = Array.from({ length: 3 }, (_, turn) => ({ role: 'user' as const, parts: [], turn }));
const leaving = (from: number, more: object = {}) =>
  trimmingInput(runState([], { messages, opened: 1, trimming: { from, ...more } }));

test('what was left out before is left out again, also where no window is known', () => {
  expect(leaving(0)).toEqual({});
  expect(leaving(1)).toEqual({ trimming: { from: 1 }, opened: 1 });
});

test('the last message is sent whatever was left out; where there are fewer, the activity chooses anew', () => {
  const learned = { window: 900, factor: 1.5 };
  expect(leaving(2, learned)).toEqual({ trimming: { from: 2, ...learned }, opened: 1 });
  expect(leaving(3, learned)).toEqual({ trimming: { from: 0, ...learned }, opened: 1 });
});

test('a run whose agent is not known yet says nothing of its window', () => {
  const { manifest: _, ...state } = runState();
  expect(trimmingInput(state)).toEqual({});
});

test('of what is too long nothing is sent again where nothing is known of it', () => {
  expect(mayShrink('ModelContextTooLong', undefined, 0)).toBe(false);
});
