import { ActivityFailure, CancelledFailure, RetryState, TimeoutFailure, TimeoutType } from '@temporalio/common';
import { partialOf } from '../../../workflows/turn/keep-partial-answer';

const failed = (cause: Error) =>
  new ActivityFailure('failed', 'holdfast.callModel', 'call-1', RetryState.TIMEOUT, 'w', cause);
const timedOut = (details: unknown) => failed(new TimeoutFailure('late', details, TimeoutType.HEARTBEAT));
const spending = { usage: { prompt: 7, completion: 2, estimated: true }, executionUnits: 9 };

it('a call that was lost with its worker costs what its last heartbeat said', () => {
  expect(partialOf(timedOut({ spent: 1000, failures: 1, spending }))).toEqual({ parts: [], ...spending });
});

it.each([
  ['nothing', undefined],
  ['what older workers say', { spent: 1000, failures: 1 }],
  ['something else', { spending: { usage: { prompt: 'x' } } }],
])('a heartbeat that says %s leaves nothing', (_what, details) => {
  expect(partialOf(timedOut(details))).toBeUndefined();
});

it('a call that was cancelled leaves its partial answer', () => {
  const partial = { parts: [{ type: 'text', text: 'He' }], ...spending };
  expect(partialOf(failed(new CancelledFailure('cancelled', [partial])))).toEqual(partial);
});
