import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../../../agent/define/context';
import type { StreamBus, StreamDelta } from '../../../agent/protocol/stream';
import { createLocalBus } from '../../../runtime/bus/bus';
import { socketFolder } from '../../../runtime/bus/socket-bus-folder';
import { localStream } from '../../../runtime/bus/socket-bus-reader';
import { serveBus } from '../../../runtime/bus/socket-bus-worker';

export const HERE = { address: 'localhost:7233', namespace: 'default' };
export const warned: unknown[] = [];
export const log: Log = { debug() {}, info() {}, error() {}, warn: (fields) => warned.push(fields) };

/** Where the sockets of this test are. */
export const at = { tmp: '', folder: '' };
export const endings: (() => unknown)[] = [];
beforeEach(() => {
  at.tmp = mkdtempSync(join(tmpdir(), 'holdfast-bus-'));
  at.folder = socketFolder(HERE, at.tmp) ?? '';
  warned.splice(0);
});
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  rmSync(at.tmp, { recursive: true, force: true });
});

export const delta = (id: string, seq: number, text = String(seq)): StreamDelta => ({
  type: 'stream.text',
  text,
  id,
  turn: 1,
  callId: 'call-1',
  attempt: 1,
  seq,
});

/** A bus, as in a worker, and how many readers each run has. */
export async function worker(): Promise<{
  bus: StreamBus;
  readers: (id: string) => number;
  close: () => Promise<void>;
}> {
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
  const close = await serveBus(counted, HERE, { log, tmp: at.tmp });
  endings.push(close);
  return { bus, readers: (id) => counts.get(id) ?? 0, close };
}

export function reader(id: string, namespace = HERE): { seen: number[]; leave: () => void } {
  const seen: number[] = [];
  const leave = localStream(namespace, { log, tmp: at.tmp }).subscribe(id, ({ seq }) => seen.push(seq));
  endings.push(leave);
  return { seen, leave };
}

export const sockets = () => readdirSync(at.folder);

/** A reader by hand. */
export async function rawReader(path: string, id: string): Promise<Socket> {
  const socket = connect(path);
  endings.push(() => socket.destroy());
  await once(socket, 'connect');
  socket.write(`${JSON.stringify({ subscribe: id })}\n`);
  return socket;
}
