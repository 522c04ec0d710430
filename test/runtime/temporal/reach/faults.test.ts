import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttp2, createSecureServer, type Http2Server } from 'node:http2';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { SecureVersion } from 'node:tls';
import type { ErrorData } from '../../../../agent/errors/error-data';
import type { TemporalConfig } from '../../../../runtime/config/temporal';
import { connect, orNoServer } from '../../../../runtime/temporal/connection';
import { connectNative } from '../../../../runtime/temporal/native-connection';
import { selfSigned } from '../../../self-signed';

const opened: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) server.close();
});

async function at(server: Server | Http2Server): Promise<string> {
  opened.push(server as Server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // What a client sends wrong must not end this process.
  server.on('error', () => {});
  return `127.0.0.1:${((server as Server).address() as AddressInfo).port}`;
}

/** A server that answers each call of gRPC with a status. */
function grpc<S extends Http2Server>(server: S, status = 0): S {
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    const trailers = { 'grpc-status': String(status), 'grpc-message': 'unauthorized' };
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...trailers }, { endStream: true });
  });
  return server;
}

/** With a certificate that this client does not know. */
async function secure({
  pem,
  wants = false,
  maxVersion,
}: {
  pem?: string;
  wants?: boolean;
  maxVersion?: SecureVersion;
} = {}) {
  const both = pem ?? (await selfSigned());
  const asked = wants ? { requestCert: true, rejectUnauthorized: true, ca: both } : {};
  const version = maxVersion === undefined ? {} : { maxVersion };
  return { pem: both, address: await at(grpc(createSecureServer({ key: both, cert: both, ...asked, ...version }))) };
}

const temporal = (given: Partial<TemporalConfig>): { temporal: TemporalConfig; file: string } => ({
  temporal: { address: '', namespace: 'default', taskQueue: 'holdfast', ...given },
  file: '/app/temporal.yaml',
});

describe.each([
  ['client', connect],
  ['worker', connectNative],
] as const)('the connection of a %s names the fault and what to do', (_what, open) => {
  const fails = async (given: Partial<TemporalConfig>, fault: string | undefined, ...said: string[]) => {
    const error = await open(temporal(given)).then(
      () => undefined,
      (thrown: Error & { type: string; data: ErrorData['NoServer'] }) => thrown,
    );
    expect({ type: error?.type, fault: error?.data.fault }).toEqual({ type: 'NoServer', fault });
    for (const words of said) expect(error?.message).toContain(words);
  };

  it('nothing listens', async () => {
    const address = '127.0.0.1:1';
    await fails(
      { address, addressFrom: 'environment' },
      'refused',
      'at 127.0.0.1:1 (from TEMPORAL_ADDRESS; without TLS): connection refused',
      'holdfast dev',
      'correct TEMPORAL_ADDRESS.',
    );
  });

  it('the host has no address', async () => {
    await fails(
      { address: 'no-such-host.invalid:7233', addressFrom: 'file' },
      'unknownHost',
      '(from `temporal.address` in /app/temporal.yaml; without TLS): there is no host of this name',
      'correct `temporal.address` in /app/temporal.yaml',
    );
  });

  it('the server wants TLS', async () => {
    const { address } = await secure();
    await fails({ address }, 'wantsTls', 'the server there speaks TLS only', 'Switch TLS on, with `tls: true`');
  });

  it('the server has no TLS', async () => {
    const address = await at(grpc(createHttp2()));
    const given = { address, tls: true, tlsFrom: 'file' } as const;
    await fails(given, 'noTls', 'with TLS, by `temporal.tls` in /app/temporal.yaml', 'Switch TLS off');
  });

  it('the server has no TLS, which an API key has switched on', async () => {
    const address = await at(grpc(createHttp2()));
    const given = {
      address,
      tls: true,
      tlsFrom: 'apiKey',
      apiKey: 'sk-0123456789',
      apiKeyFrom: 'environment',
    } as const;
    await fails(
      given,
      'noTls',
      'with TLS, because there is an API key',
      'Remove the API key, which TEMPORAL_API_KEY gives',
    );
  });

  it.each([
    ['without', {}],
    ['with', { tls: true }],
  ])('an HTTP server has the port, tried %s TLS', async (_how, tls) => {
    const address = await at(createHttp((_request, response) => response.end('hello')));
    await fails({ address, ...tls }, 'http', 'an HTTP server answers there', '7233');
  });

  it('the gateway has the port', async () => {
    const answer = JSON.stringify({ error: { type: 'Unauthorized', message: 'Give a key' } });
    const address = await at(createHttp((_request, response) => response.writeHead(401).end(answer)));
    await fails({ address }, 'gateway', 'the HTTP server of Holdfast answers there', '`--url`');
  });

  it('a model server, whose errors have the form of the gateway, is not taken for it', async () => {
    const answer = JSON.stringify({ error: { type: 'invalid_request_error', message: 'No such path' } });
    const address = await at(createHttp((_request, response) => response.writeHead(404).end(answer)));
    await fails({ address }, 'http', 'an HTTP server answers there');
  });

  it('another kind of server has the port', async () => {
    const address = await at(createServer((socket) => socket.on('error', () => {}).write('220 mail ESMTP\r\n')));
    await fails({ address }, 'otherProtocol', 'another kind of server');
  });

  it('the certificate is self-signed', async () => {
    const { address } = await secure();
    await fails({ address, tls: true }, 'untrusted', 'self-signed', '`temporal.tls.serverCa` in /app/temporal.yaml');
  });

  it('the certificate has expired', async () => {
    const day = 86_400_000;
    const dates = { notBeforeDate: new Date(Date.now() - 2 * day), notAfterDate: new Date(Date.now() - day) };
    const { address, pem } = await secure({ pem: await selfSigned(undefined, dates) });
    const tls = { serverRootCACertificate: Buffer.from(pem) };
    await fails({ address, tls }, 'expired', 'certificate has expired', 'Renew');
  });

  it('the certificate is for another name', async () => {
    const { address, pem } = await secure({ pem: await selfSigned({ type: 2, value: 'elsewhere.example.com' }) });
    const tls = { serverRootCACertificate: Buffer.from(pem) };
    await fails({ address, tls }, 'otherName', 'for another name', 'TEMPORAL_TLS_SERVER_NAME');
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'the server wants a certificate of the client, with %s',
    async (maxVersion) => {
      const { address, pem } = await secure({ wants: true, maxVersion });
      const tls = { serverRootCACertificate: Buffer.from(pem) };
      await fails({ address, tls }, 'wantsCertificate', '`temporal.tls.cert` and `temporal.tls.key`');
    },
  );

  it.each([
    [7, 'PERMISSION_DENIED'],
    [16, 'UNAUTHENTICATED'],
  ])('the server refuses the API key with the code %d', async (code, status) => {
    const address = await at(grpc(createHttp2(), code));
    const given = { address, tls: false, tlsFrom: 'file', apiKey: 'sk-0123456789', apiKeyFrom: 'file' } as const;
    await expect(open(temporal(given))).rejects.toMatchObject({
      type: 'ServerRefused',
      message: `The Temporal server at ${address} (the default address; without TLS, by \`temporal.tls\` in /app/temporal.yaml) refused the connection with ${status} (unauthorized). Check the API key, which \`temporal.apiKey\` in /app/temporal.yaml gives, and that it is one for this server and its namespace.`,
    });
  });
});

it('a server that only closes connections may still be starting', async () => {
  const address = await at(createServer((socket) => socket.destroy()));
  await expect(connect(temporal({ address }))).rejects.toMatchObject({ data: { fault: 'silent' } });
});

it('a slow connection that trusts a certificate which Node does not know is not given up', async () => {
  const { address } = await secure();
  const slow = { close: async () => {} };
  const open = async () => {
    await delay(2000);
    return slow;
  };
  expect(await orNoServer(temporal({ address, tls: true }), open)).toBe(slow);
});
