import { MockActivityEnvironment } from '@temporalio/testing';
import { defineAgent } from 'holdfast';
import { z } from 'zod';
import type { ContextDeps } from '../../../activities/context/build-context';
import { makeManifest } from '../../../activities/context/make-manifest';
import { createBuildOutput } from '../../../activities/output/validate-output';
import { Registry } from '../../../activities/registry';
import { PinStore } from '../../../activities/run/pins';
import { SILENT_LOG } from '../../../runtime/log';

const name = 'test.sorter';
const queue = z.object({ queue: z.string() });
const typed = defineAgent({ name, outputSchema: queue });
const plain = defineAgent({ name });
const built = defineAgent({ name, outputBuilder: ({ content }) => ({ data: content }) });

/** What a run that began with one version of its agent makes of an answer, on a worker that has another. */
function outputOf(before: typeof plain | typeof typed, now: typeof plain | typeof typed, content: string) {
  const pins = new PinStore(() => 'r');
  const manifest = makeManifest(before.definition, [], { searchAttributes: false });
  const pin = { manifest: pins.put(manifest), context: pins.put({ owner: 'u1', metadata: {} }) };
  const registry = new Registry([now as typeof plain]);
  const watch = { run: (_: unknown, work: () => unknown) => work() };
  const build = createBuildOutput({ registry, pins, log: SILENT_LOG, watch } as unknown as ContextDeps);
  return new MockActivityEnvironment({ workflowType: name }).run(build, { pin, turn: 1, content } as never);
}

test('the output schema that a run has pinned holds where the agent has none any longer', async () => {
  expect(await outputOf(typed, plain, '{"queue":"billing"}')).toEqual({ data: { queue: 'billing' } });
  expect(await outputOf(typed, plain, 'billing')).toEqual({ error: expect.stringContaining('is not JSON that fits') });
  expect(await outputOf(typed, built, '{"queue":7}')).toEqual({ error: expect.stringContaining('must be') });
});

test('an output schema that the run has not pinned is named to the model where its answer does not fit', async () => {
  const error = expect.stringMatching(/does not fit|is not JSON that fits.*"queue"/);
  expect(await outputOf(built, typed, 'billing')).toEqual({ error });
  expect(await outputOf(built, typed, '{"queue":"billing"}')).toEqual({ data: { queue: 'billing' } });
});
