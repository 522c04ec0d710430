import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { FetchLike } from '@modelcontextprotocol/client';
import { sameOriginFetch } from '../../../runtime/same-origin-fetch';
import type { Link } from './link';
import { MessageSize } from './message-size';

/**
 * Bytes of events that are read at a time before other work has its turn: a socket may deliver thousands of events at
 * once.
 */
const SHARE = 4 * 1024;
/** How many times the time that a share took is then left to other work, and the most of it in milliseconds. */
const REST = { times: 1, most: 20 };
/**
 * The same for a server that is read slowly. At most so long that it is given up on before its calls time out: a share
 * holds some fifty messages.
 */
const LONG_REST = { times: 10, most: 50 };
/** A share that takes no longer than this many milliseconds needs no rest: it is part of one large message. */
const SHORT = 1;

type Reader = Pick<Link, 'slow' | 'idle'>;

/**
 * A fetch whose response ends with an error when a message is too large: the SDK would keep and parse one of any size.
 */
export async function boundedFetch(reader: Reader, ...[url, init]: Parameters<FetchLike>): ReturnType<FetchLike> {
  const response = await sameOriginFetch(url, init);
  if (response.body === null || !response.ok) return response;
  const events = response.headers.get('content-type')?.includes('text/event-stream') === true;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bound(events, reader)), { status, statusText, headers });
}

/** A stream of events may go on forever; a single event, which ends with an empty line, may not. */
function bound(events: boolean, reader: Reader): TransformStream<Uint8Array, Uint8Array> {
  const size = new MessageSize(events);
  return new TransformStream({
    async transform(chunk, controller) {
      size.add(chunk);
      const { excess } = size;
      if (excess !== undefined) controller.error(new Error(`an answer of ${excess}`));
      else if (!events) controller.enqueue(chunk);
      else {
        reader.idle?.begin();
        await inShares(chunk, controller, reader).finally(() => reader.idle?.end());
      }
    },
  });
}

async function inShares(
  chunk: Uint8Array,
  controller: TransformStreamDefaultController<Uint8Array>,
  reader: Reader,
): Promise<void> {
  for (let at = 0; at < chunk.length; at += SHARE) {
    const began = performance.now();
    controller.enqueue(chunk.subarray(at, at + SHARE));
    await nextTurn();
    const took = performance.now() - began;
    const { times, most } = reader.slow ? LONG_REST : REST;
    if (took > SHORT) await pause(Math.min(took * times, most));
  }
}
