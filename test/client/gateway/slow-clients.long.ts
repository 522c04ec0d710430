import type { Socket } from 'node:net';
import type { Connection } from '@temporalio/client';
import { text } from 'holdfast/testing';
import type { StreamDelta } from '../../../agent/protocol/stream';
import { serveBus } from '../../../runtime/bus/socket-bus-worker';
import { SILENT_LOG } from '../../../runtime/log';
import { forkGateway } from './fork-gateway';
import { dial } from './guard/raw-http';
import { events, type GatewayKit, type StreamEvent, startGatewayKit, TOKEN } from './kit';
import { until } from './until';

const MB = 1024 * 1024;
/** Milliseconds that this server gives a client that takes, or sends, nothing. */
const IDLE = 3000;
/** Readers of each kind. */
const READERS = 10;
/** Of an exchange, two messages of so many characters are facts. */
const EXCHANGES = 15;
const SIZE = 100_000;
/** More than the kernel takes for a reader that reads nothing. */
const DELTAS = 15_000;
const DELTA = 2000;

let gateway: GatewayKit;
let forked: Awaited<ReturnType<typeof forkGateway>>;
let endBus: () => Promise<void>;
beforeAll(async () => {
  gateway = await startGatewayKit();
  forked = await forkGateway(gateway, { idle: IDLE });
  const { address } = (gateway.kit.client.temporal.connection as Connection).options;
  endBus = await serveBus(gateway.kit.bus, { address: String(address), namespace: 'default' }, { log: SILENT_LOG });
});
afterAll(async () => {
  forked?.child.kill();
  await endBus?.();
  await gateway?.close();
});

const auth = { authorization: `Bearer ${TOKEN}` };
const HEAD = `Host: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n`;
/** Does something once a second until the test ends. */
const timers: NodeJS.Timeout[] = [];
const everySecond = (act: () => void) => void timers.push(setInterval(act, 1000));
afterEach(() => {
  for (const timer of timers.splice(0)) clearInterval(timer);
});

/** Asks for something all the time; the returned function gives the longest answer in milliseconds. */
function askAllTheTime(): () => Promise<number> {
  let slowest = 0;
  let done = false;
  const asking = (async () => {
    while (!done) {
      const since = performance.now();
      expect((await fetch(`${forked.url}/v1/me`, { headers: auth })).status).toBe(200);
      slowest = Math.max(slowest, performance.now() - since);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return async () => {
    done = true;
    await asking;
    return slowest;
  };
}

/** Sends bytes, then a text at one byte a second: the milliseconds until the server hangs up, and what it has said. */
async function drip(begin: string, rest: string): Promise<{ ms: number; answer: string }> {
  const socket = await dial(forked.url);
  const since = performance.now();
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString();
  });
  socket.write(begin);
  let sent = 0;
  everySecond(() => socket.writable && socket.write(rest[sent++ % rest.length] as string));
  await until(() => socket.destroyed);
  return { ms: performance.now() - since, answer };
}

test('a request that arrives at one byte a second is given up in time, its head as well as its body', async () => {
  const slowest = askAllTheTime();
  const body = `POST /v1/runs HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
  const heads = [drip('', 'GET /v1/me HTTP/1.1\r\n'), drip(`GET /v1/me HTTP/1.1\r\n${HEAD}`, 'X-Slow: x\r\n')];
  const strangers = drip(body.replace(TOKEN, 'wrong'), '{"agent":"support.desk"}');
  for (const { ms, answer } of await Promise.all([...heads, drip(body, '{"agent":"support.desk"}'), strangers])) {
    // The time, and one look of the server for such requests.
    expect(ms).toBeLessThan(5 * (IDLE + IDLE));
    expect(answer).toMatch(/^(HTTP\/1\.1 (408|401) |$)/);
  }
  expect(await slowest()).toBeLessThan(1000);
});

/** What an answer in chunks has said, as far as it goes. */
function unchunked(answer: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = answer.indexOf('\r\n\r\n') + 4; at < answer.length; ) {
    const start = answer.indexOf('\r\n', at) + 2;
    const size = Number.parseInt(answer.subarray(at, start).toString(), 16);
    if (!(size > 0)) break;
    pieces.push(answer.subarray(start, start + size));
    at = start + size + 2;
  }
  return Buffer.concat(pieces);
}

/** A reader with a socket of its own, from which `take` takes one byte. */
interface RawReader {
  socket: Socket;
  take(): void;
  /** Everything that has arrived, also what the kernel still has. */
  all(): Promise<string>;
}

async function reader(path: string): Promise<RawReader> {
  const socket = await dial(forked.url);
  const got: Buffer[] = [];
  socket.pause();
  // Without it nothing is read from the kernel.
  socket.on('readable', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\n${HEAD}\r\n`);
  return {
    socket,
    take() {
      const byte = socket.read(1) as Buffer | null;
      if (byte !== null) got.push(byte);
    },
    async all() {
      socket.removeAllListeners('readable');
      socket.on('data', (data: Buffer) => got.push(data));
      socket.resume();
      await until(() => socket.destroyed);
      return unchunked(Buffer.concat(got)).toString();
    },
  };
}

test('readers that take one byte a second, or nothing, cost little, hold up no one, are cut off, and lose no fact', async () => {
  const { kit } = gateway;
  const run = kit.conversation('support.desk', { id: 'local:long', owner: 'local:ann' });
  kit.model.script(...Array.from({ length: EXCHANGES }, () => text('y'.repeat(SIZE), { chunkSize: 1000 })));
  await run.send('x'.repeat(SIZE));
  const path = '/v1/runs/local:long/events';
  const before = await forked.usage();
  const slow = await Promise.all(Array.from({ length: READERS }, () => reader(path)));
  const silent = await Promise.all(Array.from({ length: READERS }, () => reader(path)));
  everySecond(() => {
    for (const { take } of slow) take();
  });
  const open = fetch(`${forked.url}${path}`, { headers: auth });
  let last: StreamEvent | undefined;
  const reading = events(open, (event) => {
    last = event;
    return event.event === 'delta' && event.data.callId === 'end';
  });
  const slowest = askAllTheTime();
  const mostHeap = { heap: 0, rss: 0 };
  const measure = async () => {
    const { heap, rss } = await forked.usage();
    mostHeap.heap = Math.max(mostHeap.heap, heap - before.heap);
    mostHeap.rss = Math.max(mostHeap.rss, rss - before.rss);
  };
  for (let i = 1; i < EXCHANGES; i++) {
    await run.send('x'.repeat(SIZE));
    await until(async () => (await run.state()).idle);
    await measure();
  }
  const { facts, turn } = await run.state();
  await until(() => last?.id === String(facts));
  const delta = (seq: number): StreamDelta => ({
    type: 'stream.text',
    text: 'z'.repeat(DELTA),
    id: run.id,
    turn: turn + 1,
    callId: 'next',
    attempt: 1,
    seq,
  });
  for (let seq = 0; seq < DELTAS; seq++) {
    kit.bus.publish(delta(seq));
    if (seq % 100 !== 0) continue;
    // The socket of the bus takes a megabyte.
    await until(() => seq - Number(last?.event === 'delta' && last.data.callId === 'next' ? last.data.seq : -1) < 200);
    if (seq % 1000 === 0) await measure();
  }
  const sent = performance.now();
  // Of the reader that reads, and of the two who ask.
  await until(async () => (await forked.usage()).sockets <= 3);
  const cut = performance.now() - sent;
  kit.bus.publish({ ...delta(0), type: 'stream.clear', callId: 'end', turn: turn + 2 });
  const heard = await reading;
  const latest = await slowest();
  process.stdout.write(
    `${2 * READERS} slow readers: ${Math.round(mostHeap.heap / MB)} MB of heap, ${Math.round(mostHeap.rss / MB)} MB in all; gone ${Math.round(cut)} ms after the last piece; slowest other answer ${Math.round(latest)} ms\n`,
  );
  const numbers = heard.filter(({ event }) => event === 'fact').map(({ id }) => Number(id));
  expect(numbers).toEqual(Array.from({ length: facts }, (_, i) => i + 1));
  const pieces = heard.filter(({ event, data }) => event === 'delta' && data.callId === 'next');
  expect(pieces.map(({ data }) => data.seq)).toEqual(Array.from({ length: DELTAS }, (_, seq) => seq));
  expect(latest).toBeLessThan(2000);
  // The time, and one look; five times that on a slow machine.
  expect(cut).toBeLessThan(5 * 1.5 * IDLE);
  // All of them would hold a gigabyte.
  expect(mostHeap.heap).toBeLessThan(80 * MB);

  for (const { all } of [slow[0], silent[0]] as RawReader[]) {
    const first = [...(await all()).matchAll(/^id: (\d+)\nevent: fact\ndata: .*\n\n/gm)].map(([, id]) => Number(id));
    const headers = { ...auth, 'last-event-id': String(first.at(-1) ?? 0) };
    const again = await events(fetch(`${forked.url}${path}`, { headers }), ({ id }) => id === String(facts));
    const rest = again.filter(({ event }) => event === 'fact').map(({ id }) => Number(id));
    expect([...first, ...rest]).toEqual(numbers);
  }
  for (const { socket } of [...slow, ...silent]) socket.destroy();
});
