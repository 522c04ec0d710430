import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ReplyPiece, replyPieces } from '../kit/reply-pieces';
import type { WireReply } from './wire';

/** Begins a streamed answer. */
export function beginStream(response: ServerResponse, headers: { [name: string]: string } = {}): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers });
  response.flushHeaders();
}

/** Whether a reply is sent to its end. */
export function isWhole({ fault }: WireReply): boolean {
  return fault === undefined;
}

/**
 * Sends the pieces of a reply, `chunkDelay` apart, up to where its fault stops it.
 * @param frame what is sent for a piece, if it is sent
 */
export async function sendPieces(
  reply: WireReply,
  response: ServerResponse,
  frame: (piece: ReplyPiece) => string | undefined,
): Promise<void> {
  for (const piece of replyPieces(reply)) {
    const bytes = frame(piece);
    if (bytes === undefined) continue;
    await sent(response, bytes);
    if (reply.chunkDelay !== undefined && 'text' in piece) await pause(reply.chunkDelay, response);
  }
}

/** Resolves when the bytes have left, and rejects if the client has gone. */
export function sent(response: ServerResponse, bytes: string): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

async function pause(milliseconds: number, response: ServerResponse): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const ends = [sleep(milliseconds, undefined, { signal }), once(response, 'close', { signal })];
  await Promise.race(ends).finally(() => over.abort());
  // The other one ends with an AbortError.
  await Promise.allSettled(ends);
}
