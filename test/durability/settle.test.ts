import { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { settle } from '../../activities/tools/settle';

it('does not start a tool whose call was cancelled before it began, and reports that it did not begin', async () => {
  const activity = new MockActivityEnvironment();
  const begun = jest.fn();
  const error: unknown = await activity
    .run(() => {
      // For example while the worker still queried the run for data.
      activity.cancel('CANCELLED');
      return settle(begun, { cancelled: Context.current().cancellationSignal, timeout: 1000 });
    })
    .catch((e: unknown) => e);
  expect(error).toBeInstanceOf(CancelledFailure);
  expect((error as CancelledFailure).details ?? []).not.toContain('started');
  expect(begun).not.toHaveBeenCalled();
});
