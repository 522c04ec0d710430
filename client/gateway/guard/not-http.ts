import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorBody } from '../failure';

type Refusal = [status: number, type: string, message: string];

const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [431, 'HeadersTooLarge', 'The address and the headers have more than 16 KB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'RequestTooSlow', 'The request has not arrived in time.'],
};
const NOT_HTTP: Refusal = [400, 'InvalidRequest', 'This is not a valid HTTP request.'];

/**
 * Answers in the form of the API to what never becomes a request.
 * @param isAnswering whether an answer is on its way on a connection: a second one would get into it
 */
export function refuseBrokenRequests(server: Server, isAnswering: (socket: Duplex) => boolean): void {
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || isAnswering(socket)) socket.destroy();
    else socket.end(textOf(REFUSALS[code] ?? NOT_HTTP), () => socket.destroy());
  });
}

function textOf([status, type, message]: Refusal): string {
  const body = JSON.stringify({ error: { type, message } } satisfies ErrorBody);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
