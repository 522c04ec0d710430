import { createClient } from 'redis';
import type { Log } from '../../../agent/define/context';
import type { DeltaBody, StreamDelta } from '../../../agent/protocol/stream';
import { type OpenBus, openBus, openWorkerBus } from '../../../runtime/bus/open-bus';
import type { BusConfig } from '../../../runtime/config/bus';
import { RedisServer } from '../../kit/redis-server';

export const temporal = { address: 'localhost:7233', namespace: `test-${process.pid}`, taskQueue: 'holdfast' };

/** What the log has, by level. */
export const logged: { level: string; fields: Record<string, unknown>; text: string }[] = [];
const entry = (level: string) => (fields: object, text?: string) => {
  logged.push({ level, fields: fields as Record<string, unknown>, text: text ?? '' });
};
export const log: Log = { debug() {}, info: entry('info'), warn: entry('warn'), error: entry('error') };
export const levels = () => logged.map(({ level }) => level);

const endings: (() => unknown)[] = [];
export const atEnd = (end: () => unknown) => void endings.push(end);
beforeEach(() => logged.splice(0));
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** Redis, until the test ends. */
export async function redis(...settings: string[]): Promise<RedisServer> {
  const server = await RedisServer.start(...settings);
  atEnd(() => server.close());
  return server;
}

/** The bus of a worker. */
export async function worker(
  bus: BusConfig,
): Promise<{ publish(...deltas: StreamDelta[]): void; close(): Promise<void> }> {
  const own = openWorkerBus({ bus, temporal }, log);
  const end = await own.serve();
  let ended: Promise<void> | undefined;
  const close = () => {
    ended ??= end();
    return ended;
  };
  atEnd(close);
  return {
    publish(...deltas) {
      for (const delta of deltas) own.bus.publish(delta);
    },
    close,
  };
}

/** The bus of a process that reads. */
export function readers(bus: BusConfig): OpenBus {
  const own = openBus({ bus, temporal }, { log });
  atEnd(() => own.close());
  return own;
}

/** Keeps what a reader of a run gets. */
export function heard(bus: OpenBus, id: string): StreamDelta[] & { leave(): void } {
  const deltas: StreamDelta[] = [];
  const leave = bus.subscribe(id, (delta) => deltas.push(delta));
  return Object.assign(deltas, { leave });
}

export const textOf = (deltas: readonly StreamDelta[]) =>
  deltas.map((delta) => (delta.type === 'stream.text' ? delta.text : '')).join('');

/** A client for what the library does not do. */
export async function commands(url: string) {
  const client = createClient({ url });
  client.on('error', () => undefined);
  await client.connect();
  atEnd(() => client.destroy());
  return client;
}

/** Deltas of a call. */
export function call(id: string, bodies: readonly (string | DeltaBody)[], from = 0, turn = 1): StreamDelta[] {
  return bodies.map((body, i) => ({
    ...(typeof body === 'string' ? { type: 'stream.text', text: body } : body),
    id,
    turn,
    callId: `call-${turn}`,
    attempt: 1,
    seq: from + i,
  }));
}
