import { ApplicationFailure } from '@temporalio/common';
import { createSendEvent } from '../../../activities/services/send-event';
import type { FunctionOutlet, OutletContext } from '../../../agent/define/outlet';
import { SILENT_LOG } from '../../../runtime/log';
import { WATCH } from '../loop-watch/watch';
import { quietEnvironment } from './environment';
import { someEvent } from './events';

const event = someEvent();
const send = (queue: FunctionOutlet) =>
  quietEnvironment().run(createSendEvent({ outlets: { queue }, log: SILENT_LOG, watch: WATCH }), {
    outlet: 'queue',
    event,
  });

test('a function gets the event, the key of all its attempts, a signal and the log', async () => {
  const calls: [unknown, OutletContext][] = [];
  await send((given, ctx) => void calls.push([given, ctx]));
  const [[given, ctx] = []] = calls;
  expect(given).toEqual(event);
  expect(ctx).toMatchObject({ idempotencyKey: event.id, log: SILENT_LOG });
  expect(ctx?.signal.aborted).toBe(false);
});

test('an error that a function throws is retried, and reported in one line', async () => {
  const thrown = send(() => {
    throw new Error('the queue is full\nsecond line');
  });
  await expect(thrown).rejects.toMatchObject({
    type: 'OutletFailed',
    nonRetryable: false,
    message: 'The outlet `queue` could not send the event (the queue is full).',
  });
  await expect(send(() => Promise.reject('no'))).rejects.toMatchObject({ type: 'OutletFailed', nonRetryable: false });
});

test('a function may forbid another attempt', async () => {
  const final = send(() => {
    throw ApplicationFailure.nonRetryable('there is no such queue');
  });
  await expect(final).rejects.toMatchObject({ type: 'OutletFailed', nonRetryable: true });
});
