import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FetchLike } from '@modelcontextprotocol/client';
import { sameOriginFetch } from '../../../runtime/same-origin-fetch';

/** A message over this ends its connection: far above any result that is kept. */
export const MAX_MESSAGE = 64 * 1024 * 1024;

/** Bytes of events that are read at a time, before others have their turn: a socket may hand over thousands at once. */
const SHARE = 16 * 1024;

/** A fetch whose answers end with an error past {@link MAX_MESSAGE}: the SDK would keep a message of any size. */
export const boundedFetch: FetchLike = async (url, init) => {
  const response = await sameOriginFetch(url, init);
  if (response.body === null || !response.ok) return response;
  const events = response.headers.get('content-type')?.includes('text/event-stream') === true;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bound(events)), { status, statusText, headers });
};

/** A stream of events may go on for ever; each of them, which ends with an empty line, may not. */
function bound(events: boolean): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    async transform(chunk, controller) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      const ends = events && (bytes.includes('\n\n') || bytes.includes('\r\n\r\n'));
      size = ends ? 0 : size + chunk.length;
      if (size > MAX_MESSAGE) controller.error(new Error(`an answer of more than ${MAX_MESSAGE / 1024 / 1024} MB`));
      else if (!events) controller.enqueue(chunk);
      else {
        for (let at = 0; at < chunk.length; at += SHARE) {
          controller.enqueue(chunk.subarray(at, at + SHARE));
          await nextTurn();
        }
      }
    },
  });
}
