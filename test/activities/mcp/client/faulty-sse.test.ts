import { broken, expectFault, half, type Row, refused, silent, status } from './faulty-call';
import { event } from './faulty-http-server';

/** The faults of a network over the transport of 2024. */

const rows: Row[] = [
  silent('no answer', ({ response }) => void response.writeHead(202).end()),
  silent('a message that is never taken', () => {}),
  broken(
    'a stream that is cut',
    ({ response, stream }) => void response.writeHead(202).end(() => stream?.destroy()),
    /ended during the call/,
  ),
  broken(
    'a stream that is cut half way',
    ({ response, stream, result }) => {
      response.writeHead(202).end();
      stream?.write(half(event(result)), () => stream.destroy());
    },
    /ended during the call/,
  ),
  silent('an event that is not JSON', ({ response, stream }) => {
    response.writeHead(202).end();
    stream?.write(event('{"half":'));
  }),
  broken(
    'a message whose connection is cut',
    ({ request }) => void request.socket.destroy(),
    /the connection (broke|was cut)/,
  ),
  ...[500, 502].map((code) => broken(`HTTP ${code}`, status(code), new RegExp(`HTTP ${code}`))),
  ...[401, 429].map((code) => refused(code)),
];

test.each(rows)('over SSE: %s', (...row) => expectFault(row, true));
