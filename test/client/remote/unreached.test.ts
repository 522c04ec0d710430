import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttp2 } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { RemoteClient } from '../../../client/remote/remote-client';
import { selfSigned } from '../../self-signed';

const opened: Server[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) server.close();
});

async function at(server: Server): Promise<string> {
  opened.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function https(dates = {}): Promise<string> {
  const pem = await selfSigned(undefined, dates);
  return at(createHttps({ key: pem, cert: pem }, (_request, response) => response.end('{}')));
}

/** The error, and how often the request would have been sent again. */
async function connect(url: string) {
  let away = 0;
  const error = await RemoteClient.connect({ url, token: 'key', patience: 5000, onAway: () => away++ }).then(
    () => undefined,
    (thrown: Error & { type: string }) => thrown,
  );
  return { type: error?.type, message: error?.message, away };
}

it('says in words why no server answers, and tries again', async () => {
  const address = await at(createServer());
  const listener = opened.pop() as Server;
  listener.close();
  await once(listener, 'close');
  expect(await connect(`http://${address}`)).toEqual({
    type: 'NoServer',
    message: `No server answers at http://${address} (connection refused, nothing listens on this port). Check the address, and that \`holdfast serve\` runs there.`,
    away: 1,
  });
  expect((await connect('http://no-such-host.invalid')).message).toMatch(
    /^No server answers at http:\/\/no-such-host\.invalid \((there is no host of this name|the name of the host cannot be looked up now)\)\. Check the spelling/,
  );
});

it('says that a server wants TLS, or has none', async () => {
  const secure = await https();
  expect((await connect(`http://${secure}`)).message).toContain(
    '(it closes the connection; if it wants TLS, write `https://`)',
  );
  const plain = await at(createHttp((_request, response) => response.end('{}')));
  expect(await connect(`https://${plain}`)).toEqual({
    type: 'NoServer',
    message: `No server answers at https://${plain} (the server there speaks no TLS). Write \`http://\` in place of \`https://\`, or check the port.`,
    away: 0,
  });
});

it('says what is wrong with a certificate', async () => {
  expect(await connect(`https://${await https()}`)).toMatchObject({
    message: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    away: 0,
  });
});

it('does not take the error of a model server for one of the API', async () => {
  const answer = JSON.stringify({ error: { type: 'invalid_request_error', message: 'No such path: GET /v1/me' } });
  const address = await at(createHttp((_request, response) => response.writeHead(404).end(answer)));
  expect(await connect(`http://${address}`)).toEqual({
    type: 'ServerRefused',
    message: `http://${address} does not answer as \`holdfast serve\` does (status 404). Check the address.`,
    away: 0,
  });
});

it("recognizes Temporal's own port", async () => {
  const address = await at(createHttp2() as unknown as Server);
  expect(await connect(`http://${address}`)).toMatchObject({
    message: expect.stringMatching(/does not speak HTTP\)\. Check the port: .* 7233 is Temporal's own\.$/),
    away: 0,
  });
});
