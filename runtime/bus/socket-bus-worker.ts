import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Log } from '../../agent/define/context';
import { messageOf } from '../../agent/errors/error';
import type { StreamBus, StreamDelta } from '../../agent/protocol/stream';
import { createLog } from '../log';
import { eachLine } from '../process/child-process';
import {
  makeFolder,
  type Namespace,
  NotOurs,
  removeDead,
  removeSocket,
  socketFolder,
  socketIn,
} from './socket-bus-folder';

/** A line of JSON from a reader. The answer is the deltas of those runs, one per line. */
export type ReaderLine = { subscribe: string } | { unsubscribe: string };

/** The most readers of one worker; further ones are rejected. */
const MAX_READERS = 100;
/** Bytes that a reader may lag behind before it loses deltas: the worker's memory is not its buffer. */
const MAX_LAG = 1_000_000;
/** Another worker may remove the empty folder after we created it and before we listen in it. */
const ATTEMPTS = 3;

/**
 * Lets processes of the same user on this machine read a worker's bus through a Unix socket, until the returned
 * function is called. It never fails: if there can be no socket, there are no such readers. Deltas without readers are
 * not serialised.
 */
export async function serveBus(
  bus: StreamBus,
  namespace: Namespace,
  { log = createLog(), tmp }: { log?: Log; tmp?: string } = {},
): Promise<() => Promise<void>> {
  const folder = socketFolder(namespace, tmp);
  if (folder === undefined) return async () => undefined;
  const readers = new Set<Socket>();
  const toLine = lastLine();
  const server = createServer((socket) => {
    readers.add(socket);
    socket.on('close', () => readers.delete(socket));
    serveReader(bus, socket, toLine);
  });
  server.maxConnections = MAX_READERS;
  try {
    const path = await listen(server, folder);
    server.on('error', (error) => log.debug({ problem: messageOf(error) }, 'A reader of the stream got no connection'));
    return async () => {
      server.close();
      for (const reader of readers) reader.destroySoon();
      await removeSocket(path);
    };
  } catch (error) {
    const say = error instanceof NotOurs ? log.warn : log.debug;
    say.call(log, { problem: messageOf(error) }, 'Answers do not stream to other processes');
    return async () => undefined;
  }
}

async function listen(server: Server, folder: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      await removeDead(folder);
      await makeFolder(folder);
      const path = socketIn(folder, randomBytes(3).toString('hex'));
      server.listen(path).unref();
      await once(server, 'listening');
      return path;
    } catch (error) {
      if (error instanceof NotOurs || attempt === ATTEMPTS) throw error;
    }
  }
}

function serveReader(bus: StreamBus, socket: Socket, toLine: (delta: StreamDelta) => string): void {
  const heard = new Map<string, () => void>();
  const send = (delta: StreamDelta) => {
    if (socket.writableLength <= MAX_LAG) socket.write(toLine(delta));
  };
  // A reader must not keep alive a worker that has ended.
  socket.unref();
  socket.on('error', () => undefined); // it closes next
  socket.on('close', () => {
    for (const leave of heard.values()) leave();
    heard.clear();
  });
  eachLine(socket, (line) => {
    const { subscribe, unsubscribe } = readLine(line);
    if (typeof subscribe === 'string' && !heard.has(subscribe) && !socket.destroyed) {
      heard.set(subscribe, bus.subscribe(subscribe, send));
    }
    if (typeof unsubscribe === 'string') {
      heard.get(unsubscribe)?.();
      heard.delete(unsubscribe);
    }
  });
}

function readLine(line: string): { subscribe?: unknown; unsubscribe?: unknown } {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}

/** Several readers of a run get the same line, serialised once. */
function lastLine(): (delta: StreamDelta) => string {
  let last: { delta: StreamDelta; line: string } | undefined;
  return (delta) => {
    if (last?.delta !== delta) last = { delta, line: `${JSON.stringify(delta)}\n` };
    return last.line;
  };
}
