import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { FetchLike } from '@modelcontextprotocol/client';
import { sameOriginFetch } from '../../../runtime/same-origin-fetch';
import type { Link } from './link';
import { MessageSize, TooLarge } from './traffic/message-size';

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
/** A share that takes no longer than this many milliseconds needs no rest. */
const SHORT = 1;

const NEWLINE = 0x0a;
const RETURN = 0x0d;

type Reader = Pick<Link, 'slow' | 'idle' | 'tooLarge'>;

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
      if (excess !== undefined) {
        const error = new TooLarge(`an answer of ${excess}`);
        // The client says of a stream only that it has ended.
        if (events) reader.tooLarge = error.message;
        controller.error(error);
      } else if (!events) controller.enqueue(chunk);
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
  for (let at = 0, end = 0; at < chunk.length; at = end) {
    end = nextLineEnd(chunk, at);
    // Part of a large message. In shares, each with a turn of the event loop, 20 MB would take a busy machine 10 s.
    const inLine = end - at >= SHARE;
    if (!inLine) end = at + SHARE;
    controller.enqueue(chunk.subarray(at, end));
    if (inLine) continue;
    const began = performance.now();
    await nextTurn();
    const took = performance.now() - began;
    const { times, most } = reader.slow ? LONG_REST : REST;
    if (took > SHORT) await pause(Math.min(took * times, most));
  }
}

/** Before it no event ends, so that nothing is processed. */
function nextLineEnd(bytes: Uint8Array, from: number): number {
  const ends = [NEWLINE, RETURN].map((end) => bytes.indexOf(end, from)).filter((at) => at !== -1);
  return Math.min(bytes.length, ...ends);
}
