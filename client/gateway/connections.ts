import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Ends connections on which nothing moves: their reader takes nothing, or their request does not arrive. A request that
 * waits for its run is left alone. The returned function ends all connections: idle ones at once, the others with their
 * answers. Without it, a connection whose answer ends later would wait for another request, and the server for it.
 */
export function keepConnections(server: Server): () => void {
  const answers = new Map<Socket, ServerResponse>();
  let isEnding = false;
  server.on('request', ({ socket }, answer) => {
    answers.set(socket, answer);
    if (isEnding) answer.shouldKeepAlive = false;
    answer.once('close', () => {
      if (answers.get(socket) === answer) answers.delete(socket);
      if (isEnding && !answers.has(socket)) socket.destroySoon();
    });
  });
  server.on('timeout', (socket) => {
    if (!answers.has(socket) || socket.writableLength > 0) socket.destroy();
    else socket.setTimeout(server.timeout);
  });
  return () => {
    isEnding = true;
    // Those that have not begun say it to their caller.
    for (const answer of answers.values()) answer.shouldKeepAlive = false;
    server.closeIdleConnections();
  };
}
