import { MockActivityEnvironment } from '@temporalio/testing';
import { PinStore } from '../../../activities/run/pins';
import type { RunContext } from '../../../agent/manifest';

const context: RunContext = { system: 'Be brief.', metadata: {} };

test('gives what it was given, by its hash', async () => {
  const pins = new PinStore();
  const hash = pins.put(context);
  const manifest = pins.put({ ...context, system: 'as a manifest' });
  expect((await pins.both({ manifest, context: hash })).context).toEqual(context);
});

test('does not ask a run that waits for this very call: an inline call is refused, to be made again', async () => {
  const local = new MockActivityEnvironment({ isLocal: true });
  await expect(local.run(() => new PinStore().manifest('unknown'))).rejects.toMatchObject({
    type: 'NotInline',
    nonRetryable: true,
  });
});
