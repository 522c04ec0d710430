import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Log } from '../../agent/context';
import type { StreamBus, StreamDelta } from '../../agent/stream';
import { createLocalBus } from '../../runtime/bus';
import { socketFolder, socketsIn } from '../../runtime/socket-bus-folder';
import { localStream } from '../../runtime/socket-bus-reader';
import { serveBus } from '../../runtime/socket-bus-worker';
import { until } from '../durability/until';

const JITI = join(dirname(require.resolve('jiti/package.json')), 'lib/jiti-cli.mjs');
const HERE = { address: 'localhost:7233', namespace: 'default' };
const warned: unknown[] = [];
const log: Log = { debug() {}, info() {}, error() {}, warn: (fields) => warned.push(fields) };

let tmp: string;
let folder: string;
const endings: (() => unknown)[] = [];
beforeEach(() => {
  tmp = mkdtempSync(join(tmpdir(), 'holdfast-bus-'));
  folder = socketFolder(HERE, tmp) ?? '';
  warned.splice(0);
});
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  rmSync(tmp, { recursive: true, force: true });
});

const delta = (id: string, seq: number, text = String(seq)): StreamDelta => ({
  type: 'stream.text',
  text,
  id,
  turn: 1,
  callId: 'call-1',
  attempt: 1,
  seq,
});

/** A bus, as a worker has it, and how often each run has readers. */
async function worker(): Promise<{ bus: StreamBus; readers: (id: string) => number; close: () => Promise<void> }> {
  const bus = createLocalBus({ log });
  const counts = new Map<string, number>();
  const add = (id: string, n: number) => counts.set(id, (counts.get(id) ?? 0) + n);
  const counted: StreamBus = {
    publish: bus.publish,
    subscribe(id, listener) {
      const leave = bus.subscribe(id, listener);
      add(id, 1);
      return () => {
        add(id, -1);
        leave();
      };
    },
  };
  const close = await serveBus(counted, HERE, { log, tmp });
  endings.push(close);
  return { bus, readers: (id) => counts.get(id) ?? 0, close };
}

function reader(id: string, namespace = HERE): { seen: number[]; leave: () => void } {
  const seen: number[] = [];
  const leave = localStream(namespace, { log, tmp }).subscribe(id, ({ seq }) => seen.push(seq));
  endings.push(leave);
  return { seen, leave };
}

const sockets = () => readdirSync(folder);

it('hands each reader the deltas of its own run, in their order', async () => {
  const { bus, readers } = await worker();
  const [a, b] = [reader('r1'), reader('r2', { ...HERE, address: '127.0.0.1:7233' })];
  const elsewhere = reader('r1', { ...HERE, namespace: 'other' });
  await until(() => readers('r1') === 1 && readers('r2') === 1, 'both readers');
  for (let seq = 0; seq < 500; seq++) for (const id of ['r1', 'r2', 'r3']) bus.publish(delta(id, seq));
  const all = Array.from({ length: 500 }, (_, seq) => seq);
  await until(() => a.seen.length + b.seen.length >= 1000, 'all deltas');
  expect([a.seen, b.seen, elsewhere.seen]).toEqual([all, all, []]);
});

it('is read in another process, which it does not keep alive, and forgets a reader that leaves', async () => {
  const { bus, readers } = await worker();
  const script = join(tmp, 'reader.ts');
  writeFileSync(
    script,
    `import { localStream } from ${JSON.stringify(require.resolve('../../runtime/socket-bus-reader'))};
    const stream = localStream(${JSON.stringify(HERE)}, { tmp: ${JSON.stringify(tmp)} });
    const hold = setInterval(() => {}, 1000);
    stream.subscribe('r1', (delta) => {
      process.stdout.write(delta.text);
      if (delta.seq === 1) clearInterval(hold);
    });`,
  );
  const child = spawn(process.execPath, [JITI, script]);
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

it('serialises nothing that nobody reads', async () => {
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

it('lets a slow reader lose deltas, and others not', async () => {
  const { bus, readers } = await worker();
  const [path] = sockets();
  const slow = await rawReader(join(folder, path ?? ''), 'r1');
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

it('takes any line, and does without readers beyond the hundredth', async () => {
  const { bus, readers } = await worker();
  const path = join(folder, sockets()[0] ?? '');
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

it('removes sockets of dead workers, also those of other servers, and no others', async () => {
  await worker();
  const [living] = sockets();
  const dead = String(spawnSync(process.execPath, ['-e', '']).pid);
  const die = (path: string) => {
    const script = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', script, path]);
  };
  // A number that is in use again may be that of a worker that is just busy.
  for (const name of [`${dead}-a.sock`, `${process.pid}-b.sock`]) die(join(folder, name));
  expect(sockets()).toHaveLength(3);
  reader('r1');
  await until(() => !sockets().includes(`${dead}-a.sock`), 'a reader to remove it');
  const other = socketFolder({ ...HERE, address: 'localhost:4711' }, tmp) ?? '';
  mkdirSync(other, { mode: 0o700 });
  for (const place of [folder, other]) die(join(place, `${dead}-c.sock`));
  await worker();
  expect(sockets()).toEqual(expect.arrayContaining([living, `${process.pid}-b.sock`]));
  expect(sockets()).toHaveLength(3);
  expect(readdirSync(dirname(folder))).toHaveLength(1);
});

it('leaves nothing behind', async () => {
  const { close } = await worker();
  await close();
  expect(readdirSync(dirname(folder))).toEqual([]);
});

describe('a folder that others can open', () => {
  const bad: [string, () => void][] = [
    [
      'is open to the group',
      () => {
        mkdirSync(dirname(folder));
        chmodSync(dirname(folder), 0o750);
      },
    ],
    [
      'is a link to somewhere else',
      () => {
        mkdirSync(join(tmp, 'else'), { mode: 0o700 });
        symlinkSync(join(tmp, 'else'), dirname(folder));
      },
    ],
    ['is a file', () => writeFileSync(dirname(folder), '')],
  ];
  it.each(bad)('is not used where it %s, and the worker says so', async (_, make) => {
    make();
    await worker();
    expect(warned).toEqual([{ problem: expect.stringContaining(dirname(folder)) }]);
  });

  it('is not read until it is closed to them', async () => {
    await worker();
    chmodSync(folder, 0o755);
    expect(socketsIn(folder)).toEqual([]);
    chmodSync(folder, 0o700);
    expect(socketsIn(folder)).toHaveLength(1);
  });

  it('of another user is not used', async () => {
    const uid = jest.spyOn(process, 'getuid' as never).mockReturnValue(4711 as never);
    endings.push(() => uid.mockRestore());
    folder = socketFolder(HERE, tmp) ?? '';
    mkdirSync(dirname(folder), { mode: 0o700 });
    await worker();
    expect(warned).toHaveLength(1);
  });
});

/** A reader by hand. */
async function rawReader(path: string, id: string): Promise<Socket> {
  const socket = connect(path);
  endings.push(() => socket.destroy());
  await once(socket, 'connect');
  socket.write(`${JSON.stringify({ subscribe: id })}\n`);
  return socket;
}
