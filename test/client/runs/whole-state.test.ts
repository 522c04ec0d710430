import type { RunState } from '../../../agent/state/run-state';
import { wholeState } from '../../../client/runs/whole-state';

const message = { id: 'm', at: 1, text: 'hello', steers: false };

it('has no unread messages where an older worker tells none, and else those that are told', () => {
  const old = { id: 'r', queued: 0 } as RunState;
  expect(wholeState(old)).toEqual({ id: 'r', queued: 0, unread: [] });
  expect(wholeState({ ...old, unread: [message] }).unread).toEqual([message]);
});
