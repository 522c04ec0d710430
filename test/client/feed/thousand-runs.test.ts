import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { hurryFeed, joinFeed } from '../../../client/feed/feeds';
import { until } from '../../until';
import { FakeServer, ServedRun } from './watched-run';

/** A thousand runs that are watched until `leave` is called, and in which nothing happens. */
function thousandReaders() {
  const server = new FakeServer(new ServedRun('a'));
  const left = new AbortController();
  setMaxListeners(0, left.signal);
  const watched = Array.from({ length: 1_000 }, (_, i) => {
    const feed = joinFeed(server.client, `r${i}`);
    return feed.changes
      .after(feed.changes.version, left.signal)
      .then(() => feed.changes.after(Number.POSITIVE_INFINITY, left.signal))
      .catch(() => feed.leave());
  });
  const leave = () => {
    left.abort();
    return Promise.all(watched);
  };
  return { server, leave };
}

it('looks at most a hundred times a second, however many runs are watched', async () => {
  const began = performance.now();
  const { server, leave } = thousandReaders();
  await delay(1_500);
  const { describe } = server.asked;
  const seconds = (performance.now() - began) / 1000;
  await leave();
  expect(describe).toBeGreaterThan(20);
  expect(describe).toBeLessThanOrEqual(100 * seconds + 1);
});

it('looks next at a run in which something has happened, however many are quiet', async () => {
  const { server, leave } = thousandReaders();
  // The first looks of all of them take ten seconds.
  await until(() => server.asked.describe > 20, 'the first looks');
  const before = server.asked.describe;
  hurryFeed(server.client, 'r900');
  await until(() => server.looked.includes('r900'), 'a look');
  expect(server.looked.slice(before).indexOf('r900')).toBeLessThan(100);
  await leave();
});
