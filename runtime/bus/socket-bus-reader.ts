import { connect, type Socket } from 'node:net';
import type { Log } from '../../agent/define/context';
import { messageOf } from '../../agent/errors/error';
import type { StreamBus, StreamDelta } from '../../agent/protocol/stream';
import { createLog } from '../log';
import { eachLine } from '../process/child-process';
import { createLocalBus } from './bus';
import { type Namespace, removeIfDead, socketFolder, socketsIn } from './socket-bus-folder';
import type { ReaderLine } from './socket-bus-worker';

/** Milliseconds between two searches for workers that have started or returned; a model takes longer to say a word. */
const LOOK_AGAIN = 250;

/**
 * Reads deltas from the workers of this user on this machine. Sockets are open only while there are subscribers, so
 * there is nothing to close, and they keep no process alive. Errors are not reported: a delta may always be lost.
 */
export function localStream(
  namespace: Namespace,
  { log = createLog(), tmp }: { log?: Log; tmp?: string } = {},
): StreamBus {
  const local = createLocalBus({ log });
  const folder = socketFolder(namespace, tmp);
  if (folder === undefined) return local;
  /** Number of readers of each run in this process. */
  const wanted = new Map<string, number>();
  const sockets = new Map<string, Socket>();
  let timer: NodeJS.Timeout | undefined;

  const open = (path: string) => {
    const socket = connect(path).unref();
    sockets.set(path, socket);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      log.debug({ path, problem: messageOf(error) }, 'A worker does not stream');
      if (error.code === 'ECONNREFUSED') void removeIfDead(path);
    });
    socket.on('close', () => {
      if (sockets.get(path) === socket) sockets.delete(path);
    });
    eachLine(socket, (line) => {
      const delta = readDelta(line);
      if (delta !== undefined) local.publish(delta);
    });
    for (const id of wanted.keys()) say(socket, { subscribe: id });
  };
  const look = () => {
    for (const path of socketsIn(folder)) if (!sockets.has(path)) open(path);
  };
  const sayAll = (line: ReaderLine) => {
    for (const socket of sockets.values()) say(socket, line);
  };
  const enter = (id: string) => {
    const readers = wanted.get(id) ?? 0;
    wanted.set(id, readers + 1);
    if (readers === 0) sayAll({ subscribe: id });
    if (timer !== undefined) return;
    timer = setInterval(look, LOOK_AGAIN).unref();
    look();
  };
  const leave = (id: string) => {
    const readers = wanted.get(id) ?? 0;
    if (readers > 1) wanted.set(id, readers - 1);
    else if (wanted.delete(id)) {
      sayAll({ unsubscribe: id });
      local.forget(id);
    }
    if (wanted.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    for (const socket of sockets.values()) socket.destroy();
    sockets.clear();
  };

  return {
    publish: (delta) => local.publish(delta),
    subscribe(id, listener) {
      const unsubscribe = local.subscribe(id, listener);
      enter(id);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        unsubscribe();
        leave(id);
      };
    },
  };
}

function say(socket: Socket, line: ReaderLine): void {
  // Until the connection is open, Node buffers the line.
  if (socket.writable || socket.connecting) socket.write(`${JSON.stringify(line)}\n`);
}

/** Ignores half a line of a worker that died. */
function readDelta(line: string): StreamDelta | undefined {
  try {
    return JSON.parse(line) as StreamDelta;
  } catch {
    return undefined;
  }
}
