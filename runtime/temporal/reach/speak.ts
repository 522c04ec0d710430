import type { Socket } from 'node:net';

/** What a server says to the first bytes of HTTP/2, on which gRPC runs. */
export type Spoken = 'http2' | 'http1' | 'tls' | 'other' | 'nothing' | 'closed';

/** The preface of HTTP/2, with empty settings. */
const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);
/** Type of a frame of settings, with which a server of HTTP/2 begins. */
const SETTINGS = 4;
const TLS_ALERT = 0x15;

/** Begins HTTP/2 on a connection, which it does not close. */
export function speak(socket: Socket, limit: number): Promise<Spoken> {
  return new Promise((settle) => {
    const end = (spoken: Spoken) => {
      clearTimeout(timer);
      settle(spoken);
    };
    const timer = setTimeout(end, limit, 'nothing');
    socket.once('data', (data) => end(kindOf(data)));
    for (const event of ['end', 'error', 'close']) socket.once(event, () => end('closed'));
    socket.write(PREFACE);
  });
}

function kindOf(data: Buffer): Spoken {
  if (data.subarray(0, 5).toString('latin1') === 'HTTP/') return 'http1';
  if (data[0] === TLS_ALERT && data[1] === 3) return 'tls';
  return data[3] === SETTINGS ? 'http2' : 'other';
}
