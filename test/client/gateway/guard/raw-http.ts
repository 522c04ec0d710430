import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Opens a connection on which a test writes whatever it wants. */
export async function dial(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // A server that hangs up is part of the test.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Resolves at the first of these events. A connection that fails closes: `once` of Node would throw its error. */
export function happens(socket: Socket, ...events: string[]): Promise<void> {
  return new Promise((resolve) => {
    for (const event of events) socket.once(event, () => resolve());
  });
}

/** Resolves when the server has hung up. Bytes that were on their way make this a reset. */
export async function hungUp(socket: Socket): Promise<void> {
  if (!socket.destroyed) await happens(socket, 'close');
}

/** Sends bytes that no HTTP client would send, and reads until the server hangs up. */
export async function exchange(url: string, bytes: string): Promise<string> {
  const socket = await dial(url);
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString('latin1');
  });
  socket.write(bytes);
  await hungUp(socket);
  return answer;
}
