import { ActivityFailure, ApplicationFailure, CancelledFailure, RetryState, TimeoutFailure } from '@temporalio/common';
import type { ToolSpec } from '../../../agent/protocol/manifest';
import { outcomeOfFailure } from '../../../workflows/calls/failure-outcome';
import { toolSpec } from '../state-data';

const failure = (cause: Error) => new ActivityFailure('failed', 'tool', 't1.1', RetryState.TIMEOUT, 'worker', cause);
const timeout = (type: 'HEARTBEAT' | 'START_TO_CLOSE' | 'SCHEDULE_TO_CLOSE' | 'SCHEDULE_TO_START') =>
  failure(new TimeoutFailure('late', undefined, type));
const cancelled = (...details: unknown[]) => failure(new CancelledFailure('cancelled', details));

it.each<[string, Error, Partial<ToolSpec>, string]>([
  ['a once tool whose worker died', timeout('HEARTBEAT'), { effect: 'once' }, 'OutcomeUnknown'],
  ['a once tool past the time of the server', timeout('START_TO_CLOSE'), { effect: 'once' }, 'OutcomeUnknown'],
  ['a once tool past its whole time', timeout('SCHEDULE_TO_CLOSE'), { effect: 'once' }, 'OutcomeUnknown'],
  ['a once tool that no worker took', timeout('SCHEDULE_TO_START'), { effect: 'once' }, 'ToolTimedOut'],
  [
    'a once tool whose worker shut down',
    failure(ApplicationFailure.create({ type: 'WorkerShutdown' })),
    { effect: 'once' },
    'OutcomeUnknown',
  ],
  ['a read tool whose worker died for good', timeout('HEARTBEAT'), { effect: 'read' }, 'ToolFailed'],
  [
    'an activity that failed by itself',
    failure(ApplicationFailure.create({ type: 'Error', message: 'x' })),
    { effect: 'once' },
    'ToolFailed',
  ],
  ['a once tool cancelled in the middle', cancelled('started'), { effect: 'once' }, 'OutcomeUnknown'],
  ['a once tool cancelled before it began', cancelled(), { effect: 'once' }, 'ToolCancelled'],
  ['a once tool that is abandoned', cancelled(), { effect: 'once', cancellation: 'abandon' }, 'OutcomeUnknown'],
  ['a read tool cancelled in the middle', cancelled('started'), { effect: 'read' }, 'ToolCancelled'],
])('%s is told as its case demands', (_what, error, more, type) => {
  const outcome = outcomeOfFailure(error, toolSpec('tool', more));
  expect(outcome.error?.type).toBe(type);
  expect(outcome.content).toEqual([{ type: 'text', text: outcome.error?.message }]);
});
