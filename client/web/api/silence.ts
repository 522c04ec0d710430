import { AwayError } from './api-error';
import { connection } from './connection';

/** Milliseconds. The server sends a keep-alive every 15 s: after three that did not come, the connection is dead, although it looks open. */
export const SILENCE = 45_000;
/** Milliseconds until a command is answered: the server itself waits for Temporal and a worker. */
const PATIENCE = 120_000;

/**
 * `fetch` over a connection that is known to be alive: its answer has to begin, and something has to arrive of it every 45 s.
 * @throws AwayError where nothing does; the body of the response fails with it, too. The page then says that the server is away
 */
export async function fetchAlive(
  path: RequestInfo | URL,
  init: RequestInit = {},
  silence = SILENCE,
): Promise<Response> {
  const late = new AbortController();
  const isRead = (init.method ?? 'GET') === 'GET';
  const timer = setTimeout(() => late.abort(new AwayError()), isRead ? silence : PATIENCE);
  const signals = [late.signal, ...(init.signal ? [init.signal] : [])];
  try {
    return unlessSilent(await fetch(path, { ...init, signal: AbortSignal.any(signals) }), silence);
  } finally {
    clearTimeout(timer);
  }
}

function unlessSilent(response: Response, silence: number): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const reader = body.getReader();
  const alive = new ReadableStream<Uint8Array>(
    {
      // It is called when the reader wants more: one that is slow is not silence.
      async pull(controller) {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const silent = new Promise<never>((_, reject) => {
          timer = setTimeout(() => {
            connection.set('away');
            reject(new AwayError());
            reader.cancel().catch(() => undefined);
          }, silence);
        });
        try {
          const { done, value } = await Promise.race([reader.read(), silent]);
          if (done) controller.close();
          else controller.enqueue(value);
        } finally {
          clearTimeout(timer);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(alive, { status, statusText, headers });
}
