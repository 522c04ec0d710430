import { ActivityFailure, CancelledFailure, RetryState, TimeoutFailure, TimeoutType } from '@temporalio/common';
import type { CallInProgress, Interruption, Run } from '../../../workflows/run/run';
import { endOfCall, partialOf } from '../../../workflows/turn/keep-partial-answer';
import { runState } from '../state-data';

const failed = (cause: Error) =>
  new ActivityFailure('failed', 'holdfast.callModel', 'call-1', RetryState.TIMEOUT, 'w', cause);
const timedOut = (details: unknown) => failed(new TimeoutFailure('late', details, TimeoutType.HEARTBEAT));
const spending = { usage: { prompt: 7, completion: 2, estimated: true as const }, executionUnits: 9 };

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

describe('a call that is broken off', () => {
  const broken = new CancelledFailure('broken off');

  /** What the run is told of it. */
  function told(why: Interruption['why'], error: Error, modelCall?: CallInProgress): string[] {
    const inputs: string[] = [];
    const apply = ({ type }: { type: string }) => inputs.push(type);
    const run = { state: runState(), modelCall, interruption: { why }, apply };
    expect(endOfCall(run as unknown as Run, 'm', undefined, error)).toBe(error);
    return inputs;
  }

  it('for a message withdraws its text', () => {
    expect(told('steered', failed(broken))).toEqual(['withdrawn']);
  });

  it('for another model gives its turn to that', () => {
    expect(told('switched', failed(broken))).toEqual(['spent', 'unanswered']);
  });

  it('for another model at the moment in which its answer has arrived keeps its turn', () => {
    expect(told('switched', broken)).toEqual([]);
  });

  it('at that moment, too, costs what its answer said: that has the cost of the attempts that failed', () => {
    expect(told('switched', broken, { id: 'call-1', model: 'm', spent: spending })).toEqual([]);
  });
});
