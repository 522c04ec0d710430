import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** What servers answer compressed although they were not asked to. */
const DECOMPRESS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Statuses without a body. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A request with a text, by Node's HTTP client: its `fetch` takes three times as long, since it reads an answer through
 * web streams. Connections are kept as those of all of Node's clients are. It follows no redirects, and its caller reads
 * at most the status, the headers and the body: the body of a success can only be iterated.
 */
export function post(given: string | URL | Request, { method = 'GET', headers, body, signal }: RequestInit) {
  const url = new URL(given instanceof Request ? given.url : given);
  const options = { method, headers: Object.fromEntries(new Headers(headers)) };
  return new Promise<Response>((resolve, reject) => {
    signal?.throwIfAborted();
    const request = (url.protocol === 'https:' ? tlsRequest : plainRequest)(url, options, (message) => {
      try {
        resolve(responseOf(message));
      } catch (error) {
        message.destroy();
        reject(error);
      }
    });
    // Of one that has an answer, the error goes to the one who reads, too.
    request.on('error', reject);
    const stop = () => {
      reject(signal?.reason);
      // Not with the reason, and not by the option `signal`: where all of the answer has come but was not read, Node 20
      // emits the error on a socket that has no listener any longer, and the process ends.
      request.destroy();
    };
    signal?.addEventListener('abort', stop, { once: true });
    request.once('close', () => signal?.removeEventListener('abort', stop));
    request.end(body);
  });
}

function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = message;
  const headers = new Headers();
  for (let i = 0; i < message.rawHeaders.length; i += 2) {
    headers.append(message.rawHeaders[i] as string, message.rawHeaders[i + 1] as string);
  }
  const ok = status >= 200 && status < 300;
  const body = decompressed(message, headers.get('content-encoding'));
  if (ok) return { ok, status, statusText, headers, body } as unknown as Response;
  if (EMPTY.has(status)) message.resume();
  return new Response(EMPTY.has(status) ? null : (Readable.toWeb(body) as ReadableStream), {
    status,
    statusText,
    headers,
  });
}

function decompressed(message: IncomingMessage, encoding: string | null): Readable {
  const name = encoding?.trim().toLowerCase() ?? '';
  const decompress = Object.hasOwn(DECOMPRESS, name) ? DECOMPRESS[name] : undefined;
  if (decompress === undefined) return message;
  // An error goes to the one who reads.
  return pipeline(message, decompress(), () => undefined);
}
