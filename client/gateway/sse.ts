const encoder = new TextEncoder();
/** Sent while there is nothing to say, so that neither side takes the connection for dead. */
const ALIVE = encoder.encode(': alive\n\n');
/** Milliseconds between two of them: proxies close connections after a minute of silence, some after 30 s. */
const ALIVE_EVERY = 15_000;

/** Bytes that are written at once: a reader that takes a long event slowly is seen to take it. */
export const PIECE = 16 * 1024;
const TYPE = 'text/event-stream';

export function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith(TYPE) ?? false;
}

/** An event of a stream. Its data has no line breaks: it is JSON. */
export function sseEvent({ data, event, id }: { data: string; event?: string; id?: string }): string {
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`;
}

/** Streams that are open: one timer for all of them. */
const open = new Set<() => void>();
let timer: NodeJS.Timeout | undefined;

function keepAlive(tick: () => void): () => void {
  open.add(tick);
  timer ??= setInterval(() => {
    for (const one of open) one();
  }, ALIVE_EVERY).unref();
  return () => {
    open.delete(tick);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * A response that streams texts as they come, no faster than its reader takes them. When the reader leaves, `texts` is ended.
 * @param options.signal aborts when the caller has gone, also before anything was read
 * @param options.onEnd called once, however it ends
 */
export function eventStream(
  texts: AsyncGenerator<string, void, undefined>,
  {
    headers = {},
    signal,
    onEnd,
  }: { headers?: Readonly<Record<string, string>>; signal: AbortSignal; onEnd: () => void },
): Response {
  let stopAlive: () => void = () => undefined;
  let ended = false;
  let isRead = true;
  /** Of an event that is longer than one piece. */
  let rest = new Uint8Array();
  const end = () => {
    if (ended) return;
    ended = true;
    stopAlive();
    signal.removeEventListener('abort', stop);
    onEnd();
  };
  const stop = () => {
    end();
    // Also without a reader: a generator that is not ended keeps what it has opened.
    return texts.return().then(
      () => undefined,
      () => undefined,
    );
  };
  signal.addEventListener('abort', stop);
  if (signal.aborted) void stop();
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (!ended) {
          stopAlive = keepAlive(() => {
            // A reader that takes nothing gets nothing more.
            if (rest.length === 0 && (controller.desiredSize ?? 0) > 0) controller.enqueue(ALIVE);
          });
        }
        // The headers are sent with the first byte.
        controller.enqueue(ALIVE);
      },
      async pull(controller) {
        try {
          if (rest.length === 0) {
            const next = await texts.next();
            if (!isRead) return;
            if (next.done) {
              end();
              controller.close();
              return;
            }
            rest = encoder.encode(next.value);
          }
          controller.enqueue(rest.subarray(0, PIECE));
          rest = rest.subarray(PIECE);
        } catch (error) {
          if (!isRead) return;
          end();
          controller.error(error);
        }
      },
      cancel() {
        isRead = false;
        return stop();
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(body, {
    headers: {
      'content-type': `${TYPE}; charset=utf-8`,
      'cache-control': 'no-cache, no-transform',
      // nginx would collect the stream.
      'x-accel-buffering': 'no',
      ...headers,
    },
  });
}
