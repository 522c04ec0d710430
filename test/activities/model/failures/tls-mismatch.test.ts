import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { APIConnectionError } from 'openai';
import { post } from '../../../../activities/model/adapters/openai/post';
import { modelFailure } from '../../../../activities/model/failures/model-failure';
import { closeAfterTest } from '../../../close-after-test';
import { listen } from '../../../kit/http-exchange';
import { selfSigned } from '../../../self-signed';

test.each([
  ['http://host.example/v1', 'socket hang up', 'ECONNRESET', true],
  ['http://host.example/v1', 'other side closed', 'UND_ERR_SOCKET', true],
  ['https://host.example/v1', 'socket hang up', 'ECONNRESET', false],
  ['http://host.example/v1', 'read ECONNRESET', 'ECONNRESET', false],
  ['http://host.example/v1', 'connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED', false],
])('a port that may expect TLS, at %s, %s', (baseUrl, message, code, may) => {
  const cause = Object.assign(new Error(message), { code });
  const told = (call = {}) =>
    modelFailure(new APIConnectionError({ message: 'Connection error.', cause }), { baseUrl, model: 'm' }, call)
      .message;
  const hint = 'it closed the connection without an answer, and may expect `https:`';
  expect(told().includes(hint)).toBe(may);
  // It has answered at this address.
  expect(told({ answeredBefore: true })).not.toContain(hint);
});

test.each([
  ['http:', '(it closed the connection without an answer, and may expect `https:`)'],
  ['https:', '(it does not speak TLS at this port, and may expect `http:`)'],
])('a server at an address that begins with %s and should not is told in words', async (protocol, said) => {
  const pem = await selfSigned();
  const server = protocol === 'http:' ? createTlsServer({ key: pem, cert: pem }) : createServer();
  const { port, close } = await listen(server);
  closeAfterTest({ close });
  const baseUrl = `${protocol}//127.0.0.1:${port}/v1`;
  for (const send of [post, fetch]) {
    const error = await send(baseUrl, { method: 'POST', body: '{}' }).catch((failed: unknown) => failed);
    expect(modelFailure(error, { baseUrl, model: 'm' }).message).toContain(said);
  }
});

test('a server without TLS is told in words, not in those of OpenSSL', () => {
  const said = 'write EPROTO 00:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:s3/record.c:355:';
  const cause = Object.assign(new Error(said), { code: 'EPROTO' });
  const { message } = modelFailure(new APIConnectionError({ message: 'Connection error.', cause }), {
    baseUrl: 'https://host.example/v1',
    model: 'm',
  });
  expect(message).toContain('(it does not speak TLS at this port, and may expect `http:`)');
});
