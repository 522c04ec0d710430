import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { localStream } from '../../../runtime/bus/socket-bus-reader';
import { RUN_TS } from '../../sources';
import { until } from '../../until';
import { at, delta, endings, HERE, log, rawReader, reader, sockets, warned, worker } from './socket-stage';

it('passes each reader the deltas of its own run, in order', async () => {
  const { bus, readers } = await worker();
  const [a, b] = [reader('r1'), reader('r2', { ...HERE, address: '127.0.0.1:7233' })];
  const elsewhere = reader('r1', { ...HERE, namespace: 'other' });
  await until(() => readers('r1') === 1 && readers('r2') === 1, 'both readers');
  for (let seq = 0; seq < 500; seq++) for (const id of ['r1', 'r2', 'r3']) bus.publish(delta(id, seq));
  const all = Array.from({ length: 500 }, (_, seq) => seq);
  await until(() => a.seen.length + b.seen.length >= 1000, 'all deltas');
  expect([a.seen, b.seen, elsewhere.seen]).toEqual([all, all, []]);
});

it('gives a reader that joins in mid-answer the answer from its beginning, also the second one of a process', async () => {
  const { bus, readers } = await worker();
  for (const seq of [0, 1, 2]) bus.publish(delta('r1', seq));
  const stream = localStream(HERE, { log, tmp: at.tmp });
  const heard: string[][] = [[], [], []];
  const join = (place: number) => {
    const leave = stream.subscribe('r1', (d) => heard[place]?.push(`${d.from ?? d.seq}-${d.seq}`));
    endings.push(leave);
    return leave;
  };
  const leaves = [join(0)];
  await until(() => heard[0]?.length === 1, 'what the first has missed');
  bus.publish(delta('r1', 3));
  await until(() => heard[0]?.length === 2, 'what follows');
  leaves.push(join(1));
  expect(heard.slice(0, 2)).toEqual([['0-2', '3-3'], ['0-3']]);
  for (const leave of leaves) leave();
  await until(() => readers('r1') === 0, 'both to be forgotten');
  // No reader of this process hears this one.
  bus.publish(delta('r1', 4));
  join(2);
  await until(() => heard[2]?.length === 1, 'what the third has missed');
  expect(heard[2]).toEqual(['0-4']);
});

it('is read in another process, which it does not keep alive, and forgets a reader that leaves', async () => {
  const { bus, readers } = await worker();
  const script = join(at.tmp, 'reader.ts');
  writeFileSync(
    script,
    `import { localStream } from ${JSON.stringify(require.resolve('../../../runtime/bus/socket-bus-reader'))};
    const stream = localStream(${JSON.stringify(HERE)}, { tmp: ${JSON.stringify(at.tmp)} });
    const hold = setInterval(() => {}, 1000);
    stream.subscribe('r1', (delta) => {
      process.stdout.write(delta.text);
      if (delta.seq === 1) clearInterval(hold);
    });`,
  );
  const child = spawn(process.execPath, [RUN_TS, script]);
  endings.push(() => child.kill('SIGKILL'));
  let out = '';
  child.stdout.on('data', (data) => {
    out += data;
  });
  await until(() => readers('r1') === 1, 'the reader');
  bus.publish(delta('r1', 0, 'é'));
  bus.publish(delta('r1', 1, '\n'));
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(out).toBe('é\n');
  await until(() => readers('r1') === 0, 'the reader to be forgotten');
});

it('serialises nothing that has no reader', async () => {
  const { bus, readers } = await worker();
  const { leave } = reader('r1');
  await until(() => readers('r1') === 1, 'the reader');
  const unread = { ...delta('r2', 0), toJSON: () => fail() };
  const fail = () => {
    throw new Error('serialised');
  };
  bus.publish(unread);
  leave();
  await until(() => readers('r1') === 0, 'the reader to be forgotten');
  bus.publish({ ...unread, id: 'r1' });
  expect(warned).toEqual([]);
});

it('finds a worker that comes later, and the one that follows it', async () => {
  const { seen } = reader('r1');
  for (const seq of [0, 1]) {
    const { bus, readers, close } = await worker();
    await until(() => readers('r1') === 1, `worker ${seq} to be found`);
    bus.publish(delta('r1', seq));
    await close();
  }
  await until(() => seen.length === 2, 'what the last worker said before its end');
  expect(seen).toEqual([0, 1]);
});

it('reads several workers at once', async () => {
  const workers = [await worker(), await worker()];
  const { seen } = reader('r1');
  await until(() => workers.every(({ readers }) => readers('r1') === 1), 'both to be read');
  for (const [seq, { bus }] of workers.entries()) bus.publish(delta('r1', seq));
  await until(() => seen.length === 2, 'both deltas');
  expect(seen.sort()).toEqual([0, 1]);
});

it('lets only a slow reader lose deltas', async () => {
  const { bus, readers } = await worker();
  const [path] = sockets();
  const slow = await rawReader(join(at.folder, path ?? ''), 'r1');
  slow.pause();
  const { seen } = reader('r1');
  await until(() => readers('r1') === 2, 'both readers');
  const big = 'x'.repeat(500_000);
  for (let seq = 0; seq < 20; seq++) {
    bus.publish(delta('r1', seq, big));
    await until(() => seen.length === seq + 1, `delta ${seq}`);
  }
  let got = '';
  slow.setEncoding('utf8').on('data', (data) => {
    got += data;
  });
  slow.resume();
  await until(() => got.endsWith('\n'), 'what the slow reader gets');
  const lines = got.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.length).toBeLessThan(10);
});

it('accepts any line, and rejects readers beyond the hundredth', async () => {
  const { bus, readers } = await worker();
  const path = join(at.folder, sockets()[0] ?? '');
  const all = await Promise.all(Array.from({ length: 100 }, () => rawReader(path, 'r1')));
  await until(() => readers('r1') === 100, 'a hundred readers');
  const more = connect(path);
  more.on('error', () => undefined);
  await once(more, 'close');
  for (const line of [
    'nonsense',
    'null',
    '[]',
    '7',
    '{"subscribe": 7}',
    '{"unsubscribe": "r2"}',
    '{"unsubscribe": "r1"}',
  ]) {
    all[0]?.write(`${line}\n`);
  }
  await until(() => readers('r1') === 99, 'the one that leaves');
  for (const socket of all) socket.destroy();
  await until(() => readers('r1') === 0, 'all to be forgotten');
  bus.publish(delta('r1', 0));
  expect(warned).toEqual([]);
});
