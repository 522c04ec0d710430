import { setTimeout as delay } from 'node:timers/promises';
import type { StreamDelta } from '../../../agent/protocol/stream';
import { DeltaOrder } from '../../../client/feed/delta-order';
import { entryOf, keyOf } from '../../../runtime/bus/redis/entry';
import { until } from '../../until';
import { call, commands, heard, levels, logged, readers, redis, temporal, textOf, worker } from './redis-stage';

/** What one reader has shown. */
interface Shown {
  order: DeltaOrder;
  read: number;
  /** By turn. */
  shown: Map<number, string>;
}

it('goes on with the answer after Redis was away for a while, also an empty one', async () => {
  const server = await redis();
  const bus = { redis: server.url };
  const { publish } = await worker(bus);
  const deltas = heard(readers(bus), 'r1');
  publish(...call('r1', ['a', 'b']));
  await until(() => deltas.at(-1)?.seq === 1, 'the beginning');
  await server.kill();
  publish(...call('r1', ['c', 'd'], 2));
  await until(() => levels().filter((level) => level === 'warn').length === 2, 'both to notice');
  publish(...call('r1', ['e'], 4));
  await server.restart();
  publish(...call('r1', ['f'], 5));
  await until(() => deltas.at(-1)?.seq === 5, 'the rest');
  expect(textOf(deltas)).toBe('abcdef');
  await until(() => logged.length === 4, 'both to say that it is over');
  expect(levels()).toEqual(['warn', 'warn', 'info', 'info']);
  // Of an answer whose beginning is gone a late reader gets the rest.
  const late = heard(readers(bus), 'r1');
  await until(() => {
    publish(...call('r1', ['g'], (deltas.at(-1)?.seq ?? 0) + 1));
    return late.length > 0;
  }, 'what comes later');
});

it('works once Redis comes, for a worker and readers that were there before', async () => {
  const server = await redis();
  await server.kill();
  const bus = { redis: server.url };
  const { publish } = await worker(bus);
  const deltas = heard(readers(bus), 'r1');
  publish(...call('r1', ['a', 'b']));
  await until(() => logged.length === 2, 'both to notice');
  await server.restart();
  await until(() => textOf(deltas) === 'ab', 'what waited');
});

it('keeps the newest of what a worker says while Redis is away, within bounds', async () => {
  const server = await redis();
  const bus = { redis: server.url };
  const { publish } = await worker(bus);
  const deltas = heard(readers(bus), 'r2');
  publish(...call('r2', ['a']));
  await until(() => deltas.length === 1, 'the reader');
  await server.kill();
  for (let i = 0; i < 30_000; i++) publish(...call('r1', ['x'], i));
  publish(...call('r2', ['b'], 1));
  await server.restart();
  await until(() => textOf(deltas) === 'ab', 'the newest');
  await until(() => logged.some(({ fields }) => fields.lost !== undefined), 'the number of the lost');
  expect(Number(logged.find(({ fields }) => fields.lost !== undefined)?.fields.lost)).toBeGreaterThanOrEqual(20_000);
});

it('gives a reader the rest of an answer whose beginning it has, also if Redis was emptied and it connects once more', async () => {
  const server = await redis();
  const bus = { redis: server.url };
  const { publish } = await worker(bus);
  const deltas = heard(readers(bus), 'r1');
  publish(...call('r1', ['a']));
  await until(() => deltas.length === 1, 'the reader');
  const client = await commands(server.url);
  const waitingRead = async () =>
    (await client.clientList()).find(({ cmd, flags }) => cmd === 'xread' && flags === 'b');
  const first = (await waitingRead())?.id;
  await client.flushAll();
  await client.sendCommand(['CLIENT', 'KILL', 'ID', String(first)]);
  let next: number | undefined;
  await until(async () => {
    next = (await waitingRead())?.id;
    return next !== undefined && next !== first && (await client.dbSize()) > 0;
  }, 'another read');
  // At once, so that the read that waits cannot have it.
  const key = keyOf(bus, temporal.namespace, 'r1');
  const rest = client.multi().addCommand(['CLIENT', 'KILL', 'ID', String(next)]);
  await rest.xAdd(key, '*', entryOf(call('r1', ['b'], 1))).exec();
  await until(() => textOf(deltas) === 'ab', 'the rest');
});

it('gives up a connection on which nothing arrives', async () => {
  const server = await redis();
  const bus = { redis: server.url };
  const { publish, close } = await worker(bus);
  const deltas = heard(readers(bus), 'r1');
  publish(...call('r1', ['a']));
  await until(() => deltas.length === 1, 'the reader');
  server.hang();
  publish(...call('r1', ['b'], 1));
  await until(
    () => logged.some(({ fields }) => String(fields.problem).includes('not answered')),
    'the end of patience',
  );
  server.proceed();
  await until(() => textOf(deltas).startsWith('ab'), 'the rest');
  server.hang();
  publish(...call('r1', ['c'], 2));
  const since = performance.now();
  await close();
  expect(performance.now() - since).toBeLessThan(5000);
});

it('shows the beginning of each answer while Redis is killed again and again, and whole ones after that', async () => {
  const server = await redis();
  const bus = { redis: server.url };
  const { publish } = await worker(bus);
  const runs = Array.from({ length: 20 }, (_, i) => `run ${i}`);
  const reading = [readers(bus), readers(bus), readers(bus)];
  const all = runs.flatMap((id) => reading.map((one) => ({ id, deltas: heard(one, id) })));
  const said = Array.from({ length: 200 }, (_, i) => `${i} `);
  const orders = new Map<StreamDelta[], Shown>(
    all.map(({ deltas }) => [deltas, { order: new DeltaOrder(), read: 0, shown: new Map() }]),
  );
  const show = (deltas: StreamDelta[], turn: number) => {
    const one = orders.get(deltas) as Shown;
    for (; one.read < deltas.length; one.read++) {
      for (const delta of one.order.take(deltas[one.read] as StreamDelta)) {
        const text = one.shown.get(delta.turn) ?? '';
        if (delta.type === 'stream.text') one.shown.set(delta.turn, text + delta.text);
      }
    }
    return one.shown.get(turn) ?? '';
  };
  const speak = async (turn: number, after: (seq: number) => unknown = () => undefined) => {
    for (const [seq, text] of said.entries()) {
      for (const id of runs) publish(...call(id, [text], seq, turn));
      if (seq % 10 === 0) await delay(5);
      await after(seq);
    }
  };
  const whole = said.join('');
  for (let turn = 1; turn <= 5; turn++) {
    await speak(turn, (seq) => (seq === 50 ? server.kill() : seq === 120 ? server.restart() : undefined));
  }
  const isBack = (level: string) => levels().filter((one) => one === level).length;
  await until(() => isBack('warn') === isBack('info'), 'all to say that it is over');
  await speak(6);
  await until(() => all.every(({ deltas }) => show(deltas, 6) === whole), 'whole answers');
  for (const { deltas } of all)
    for (let turn = 1; turn <= 5; turn++) expect(whole.startsWith(show(deltas, turn))).toBe(true);
});
