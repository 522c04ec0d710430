import { chunksOf } from '../../../../client/protocols/ai-sdk/read';
import { RunHandle } from '../../../../client/runs/run-handle';
import { slowness } from '../../../slowness';
import { until } from '../../../until';
import { SlowTemporal } from '../../gateway/slow-temporal';

/** The patience of a gateway, shortened. */
const HOW = { workerTimeout: 500, followsOn: true };
/** Milliseconds of the same, with the looks for the reason; without it, a query alone would wait for a minute. */
const SOON = 20_000;

function readingOf(server: SlowTemporal) {
  const left = new AbortController();
  const run = new RunHandle<unknown>(server.client, 'r', HOW);
  const chunks = chunksOf(run, { exchange: 1, after: 0, signal: left.signal });
  return { left, chunks };
}

test('a chat whose Temporal server gives no answer says so as soon as any request of its gateway', async () => {
  const server = new SlowTemporal(1000);
  server.isSilent = true;
  const { chunks } = readingOf(server);
  const began = performance.now();
  await expect((await chunks).next()).rejects.toMatchObject({ name: 'HoldfastError' });
  expect(performance.now() - began).toBeLessThan(SOON * slowness());
});

test('a reader of a chat who leaves meanwhile waits for no answer', async () => {
  const server = new SlowTemporal(1000);
  server.isSilent = true;
  const { chunks, left } = readingOf(server);
  const first = (await chunks).next();
  await until(() => server.inProgress > 0, 'the first question');
  const began = performance.now();
  left.abort(new Error('left'));
  await expect(first).rejects.toThrow('left');
  expect(performance.now() - began).toBeLessThan(400 * slowness());
});

test('readers of a run who come at once share what never changes about it', async () => {
  const server = new SlowTemporal(100);
  const all = Array.from({ length: 20 }, () => readingOf(server));
  const firsts = await Promise.all(all.map(async ({ chunks }) => (await chunks).next()));
  expect(firsts.every(({ value }) => value?.type === 'start')).toBe(true);
  for (const { left } of all) left.abort();
  // What it is, and its facts.
  expect(server.asked.query).toBe(2);
});
