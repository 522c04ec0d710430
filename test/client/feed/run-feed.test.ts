import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { joinFeed } from '../../../client/feed/feeds';
import { newGate } from '../../gate';
import { until } from '../../until';
import { FakeServer, ServedRun } from './watched-run';

const never = () => new AbortController().signal;

interface Reader {
  after?: number;
  signal?: AbortSignal;
  /** Milliseconds that it takes for one fact. */
  pause?: number;
  seqs?: number[];
}

/** The numbers of all facts that a reader gets. */
async function read(server: FakeServer, { after = 0, signal = never(), pause, seqs = [] }: Reader = {}) {
  const feed = joinFeed(server.client, 'r');
  try {
    for await (const { seq } of feed.facts(after, signal)) {
      seqs.push(seq);
      if (pause !== undefined) await delay(pause);
    }
    return seqs;
  } finally {
    feed.leave();
  }
}

const upTo = (last: number, after = 0) => Array.from({ length: last - after }, (_, i) => after + 1 + i);

it('gives fifty readers every fact once, in order, for the queries of one', async () => {
  const server = new FakeServer(new ServedRun('a'));
  server.now.tell(4);
  const readers = Array.from({ length: 50 }, () => read(server));
  for (let i = 0; i < 5; i++) {
    await delay(60);
    server.now.tell(2);
  }
  server.now.close('COMPLETED');
  for (const seqs of await Promise.all(readers)) expect(seqs).toEqual(upTo(14));
  // One for each page and for each change, not fifty times as many.
  expect(server.asked.query).toBeLessThan(40);
  expect(server.asked.describe).toBeLessThan(60);
});

it('misses nothing that happens while a reader asks, is slow, or comes late', async () => {
  const told = fc.array(fc.record({ in: fc.integer({ min: 0, max: 8 }), facts: fc.integer({ min: 1, max: 7 }) }), {
    maxLength: 12,
  });
  const readers = fc.array(
    fc.record({ after: fc.integer({ min: 0, max: 5 }), from: fc.integer({ min: 0, max: 20 }), slow: fc.boolean() }),
    { minLength: 1, maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(told, readers, fc.boolean(), fc.boolean(), async (tells, asked, terminated, slowly) => {
      const server = new FakeServer(new ServedRun('a'));
      const { now: run } = server;
      const later = [...tells];
      // Each second piece of news comes in the middle of a query, after its answer is fixed.
      server.during = async () => {
        const next = later.length % 2 === 0 ? later.pop() : undefined;
        if (next !== undefined && run.status === 'RUNNING') run.tell(next.facts);
        await delay(slowly ? 90 : 0);
      };
      const got = asked.map((): number[] => []);
      const all = asked.map(async ({ after, from, slow }, i) => {
        await delay(from);
        await read(server, { after, seqs: got[i] as number[], ...(slow ? { pause: 1 } : {}) });
      });
      for (let next = later.pop(); next !== undefined; next = later.pop()) {
        await delay(next.in);
        run.tell(next.facts);
      }
      // While the run goes on and nothing more happens.
      const due = () => asked.map(({ after }) => upTo(Math.max(run.last, after), after));
      await until(
        () => JSON.stringify(got) === JSON.stringify(due()),
        `${JSON.stringify(due())}, not ${JSON.stringify(got)}`,
        3_000,
      );
      run.close(terminated ? 'TERMINATED' : 'COMPLETED');
      await Promise.all(all);
      expect(got).toEqual(due());
    }),
    { numRuns: 20 },
  );
}, 60_000);

it('does not share the answer of a query that began before the last change', async () => {
  const server = new FakeServer(new ServedRun('a'));
  const stale = newGate();
  server.during = () => (server.asked.query === 2 ? stale.opened : undefined);
  // The first reader keeps the run watched.
  const watching: number[] = [];
  const readers = [read(server, { seqs: watching })];
  await until(() => server.asked.describe === 2, 'the first reader to have looked');
  // The second one's query is on its way while the run goes on.
  readers.push(read(server));
  await until(() => server.asked.query === 2, 'its query');
  server.now.tell();
  await until(() => watching.length === 1, 'the first reader to know');
  const late: number[] = [];
  readers.push(read(server, { seqs: late }));
  await until(() => late.length === 1, 'the late reader to know', 1000).finally(stale.open);
  server.now.close('COMPLETED');
  expect(await Promise.all(readers)).toEqual([[1], [1], [1]]);
});

it('asks the worker once about a run in which nothing happens, and the server once which kind it is', async () => {
  const server = new FakeServer(new ServedRun('a'));
  server.hasLongPoll = true;
  server.now.tell(2);
  const left = new AbortController();
  setMaxListeners(0, left.signal);
  const readers = Array.from({ length: 10 }, () => read(server, { signal: left.signal }).catch(() => undefined));
  await until(() => server.asked.describe >= 4, 'a few looks');
  expect(server.asked).toMatchObject({ query: 1, info: 1 });
  // A later reader of this run wants to know what there is now, and others of other runs what there is in these.
  const later = ['r', 'r2', 'r3'].map(async (id) => {
    const feed = joinFeed(server.client, id);
    for await (const { seq } of feed.facts(0, left.signal)) if (seq === 2) break;
    await feed.changes.after(feed.changes.version, left.signal).catch(() => undefined);
    feed.leave();
  });
  const { describe } = server.asked;
  await until(() => server.asked.describe >= describe + 9, 'looks at all of them');
  expect(server.asked).toMatchObject({ query: 4, info: 1 });
  left.abort();
  await Promise.all([...readers, ...later]);
});

it('notices what happened between its query and its first look, and an end before its query', async () => {
  const server = new FakeServer(new ServedRun('a'));
  server.now.tell();
  // After the answer is fixed, and before any look.
  server.during = () => server.asked.query === 1 && server.now.tell();
  const facts = read(server);
  await until(() => server.asked.query === 2, 'the news');
  server.now.close('TERMINATED');
  expect(await facts).toEqual([1, 2]);
  server.asked.query = 0;
  expect(await read(server)).toEqual([1, 2]);
  expect(server.asked.query).toBe(1);
});

it('follows the chain to the Temporal run that goes on after a reset', async () => {
  const server = new FakeServer(new ServedRun('a'));
  server.now.tell(3);
  const facts = read(server);
  await delay(80);
  server.now.close('TERMINATED');
  const next = new ServedRun('b');
  next.tell(5);
  server.runs.push(next);
  await delay(150);
  next.tell();
  next.close('COMPLETED');
  expect(await facts).toEqual(upTo(6));
});

it('ends with the run it began with where a cron run or a retry takes its id, and keeps its last facts', async () => {
  const server = new FakeServer(new ServedRun('a'));
  const [first] = server.runs as [ServedRun];
  first.tell(3);
  const facts = read(server);
  await delay(80);
  // Both before the reader looks again.
  first.tell(2);
  first.close('COMPLETED');
  const next = new ServedRun('b', 'another');
  next.tell(9);
  server.runs.push(next);
  expect(await facts).toEqual(upTo(5));
});

it('names the facts that a run no longer has, instead of skipping them', async () => {
  const server = new FakeServer(new ServedRun('a', 'chain', 8));
  server.now.tell(2);
  server.now.close('COMPLETED');
  await expect(read(server, { after: 3 })).rejects.toMatchObject({
    type: 'FactsMissing',
    data: { id: 'r', from: 4, to: 7 },
  });
  expect(await read(server, { after: 7 })).toEqual([8, 9]);
});

it('says at once that there is no such run, and asks nothing more for a reader that leaves', async () => {
  const server = new FakeServer();
  await expect(read(server)).rejects.toMatchObject({ type: 'RunNotFound' });
  server.runs.push(new ServedRun('a'));
  server.now.tell();
  const left = new AbortController();
  const facts = read(server, { signal: left.signal });
  const other = read(server);
  await delay(80);
  left.abort();
  await expect(facts).rejects.toMatchObject({ name: 'AbortError' });
  server.now.tell();
  server.now.close('COMPLETED');
  expect(await other).toEqual([1, 2]);
  const before = server.asked.describe;
  await delay(150);
  expect(server.asked.describe).toBe(before);
});

it('looks once a second while an answer streams, and at once when it ends', async () => {
  const server = new FakeServer(new ServedRun('a'));
  server.hasLongPoll = true;
  const { changes } = joinFeed(server.client, 'r');
  const left = new AbortController();
  const isOver = changes.after(Number.POSITIVE_INFINITY, left.signal).catch(() => undefined);
  for (let i = 0; i < 75; i++) {
    changes.hurry({ streams: true });
    await delay(20);
  }
  const { describe } = server.asked;
  expect(describe).toBeLessThanOrEqual(4);
  changes.hurry();
  await until(() => server.asked.describe > describe, 'a look', 700);
  left.abort();
  changes.stop();
  await isOver;
});
