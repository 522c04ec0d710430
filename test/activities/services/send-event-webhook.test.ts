import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { createSendEvent } from '../../../activities/services/send-event';
import type { Outlet, WebhookOutlet } from '../../../agent/define/outlet';
import { readWebhook } from '../../../client/waits/receive-webhook';
import { SILENT_LOG } from '../../../runtime/log';
import { WATCH } from '../loop-watch/watch';
import { quietEnvironment } from './environment';
import { someEvent } from './events';
import { receiver } from './receiver';

const SECRET = 'whsec_UExBTlRFRHNpZ25pbmdrZXlQTEFOVEVE';
const TOKEN = 'PLANTED-header-token';
const QUERY_KEY = 'PLANTED-query-key';
const event = someEvent();

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function startReceiver(...replies: Parameters<typeof receiver>) {
  const server = await receiver(...replies);
  closing.push(server.close);
  return server;
}

const send = (outlet: Outlet, environment = quietEnvironment()) =>
  environment.run(createSendEvent({ outlets: { shop: outlet }, log: SILENT_LOG, watch: WATCH }), {
    outlet: 'shop',
    event,
  });

const withSecrets = (url: string, more: Partial<WebhookOutlet> = {}): WebhookOutlet => ({
  url: `${url}?key=${QUERY_KEY}`,
  secret: SECRET,
  headers: { Authorization: `Bearer ${TOKEN}` },
  ...more,
});

/** The failure of a webhook with secrets, none of which it contains. */
async function failureOf(url: string, more: Partial<WebhookOutlet> = {}): Promise<ApplicationFailure> {
  const error = await send(withSecrets(url, more)).then(
    () => new Error('it was sent'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ApplicationFailure);
  const { message, stack, details, cause } = error as ApplicationFailure;
  const all = JSON.stringify([message, stack, details, String(cause)]);
  for (const secret of [SECRET, SECRET.slice(6), TOKEN, QUERY_KEY]) expect(all).not.toContain(secret);
  return error as ApplicationFailure;
}

test('the event arrives whole, as a CloudEvent in structured mode, and readWebhook knows its signature', async () => {
  const server = await startReceiver();
  await send(withSecrets(server.url));
  const request = server.request(1);
  expect(request).toMatchObject({
    method: 'POST',
    path: `/events?key=${QUERY_KEY}`,
    headers: {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-id': event.id,
      authorization: `Bearer ${TOKEN}`,
    },
  });
  expect(readWebhook({ headers: request.headers, body: request.body, secret: SECRET })).toEqual(event);
});

test('without a secret nothing is signed', async () => {
  const server = await startReceiver();
  await send({ url: server.url });
  expect(server.request(1).headers).not.toHaveProperty('webhook-signature');
  expect(server.request(1).headers['webhook-id']).toBe(event.id);
});

test('headers of the outlet do not replace those of the protocol', async () => {
  const server = await startReceiver();
  await send({ url: server.url, headers: { 'Content-Type': 'text/plain', 'Webhook-Id': 'mine' } });
  expect(server.request(1).headers).toMatchObject({
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'webhook-id': event.id,
  });
});

test('secret and headers come from the environment by their names', async () => {
  const server = await startReceiver();
  process.env.TEST_OUTLET_SECRET = SECRET;
  process.env.TEST_OUTLET_TOKEN = TOKEN;
  try {
    const headers = { Authorization: { env: 'TEST_OUTLET_TOKEN', prefix: 'Bearer ' } };
    await send({ url: server.url, secret: { env: 'TEST_OUTLET_SECRET' }, headers });
  } finally {
    delete process.env.TEST_OUTLET_SECRET;
    delete process.env.TEST_OUTLET_TOKEN;
  }
  const request = server.request(1);
  expect(request.headers.authorization).toBe(`Bearer ${TOKEN}`);
  expect(readWebhook({ headers: request.headers, body: request.body, secret: SECRET })).toEqual(event);
});

test.each([408, 425, 429, 500, 502, 503, 504])('HTTP %i is retried', async (status) => {
  const { url } = await startReceiver(status);
  expect(await failureOf(url)).toMatchObject({ type: 'OutletFailed', nonRetryable: false });
});

test('a second attempt has the same id, a new time and a new signature', async () => {
  const server = await startReceiver(503);
  await failureOf(server.url);
  const now = Date.now() + 60_000;
  jest.spyOn(Date, 'now').mockReturnValue(now);
  await send(withSecrets(server.url));
  const [first, second] = [server.request(1), server.request(2)];
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
  expect(second.headers['webhook-timestamp']).toBe(String(Math.floor(now / 1000)));
  expect(second.headers['webhook-signature']).not.toBe(first.headers['webhook-signature']);
  expect(readWebhook({ headers: second.headers, body: second.body, secret: SECRET, now })).toEqual(event);
});

test.each([
  ['30', 30_000],
  ['999999', 3_600_000],
])('Retry-After: %s puts the next attempt off by %i ms', async (asked, wait) => {
  const { url } = await startReceiver([503, { 'retry-after': asked }]);
  expect(await failureOf(url)).toMatchObject({ nonRetryable: false, nextRetryDelay: wait });
});

test.each([400, 401, 403, 404, 410, 413, 422])('HTTP %i is final', async (status) => {
  const server = await startReceiver(status);
  const failure = await failureOf(server.url);
  expect(failure).toMatchObject({ type: 'OutletFailed', nonRetryable: true });
  expect(failure.message).toContain(`The outlet \`shop\` could not send the event (HTTP ${status}`);
  expect(server.received).toHaveLength(1);
});

test.each([301, 302, 303, 307, 308])('a redirect with %i is not followed, and final', async (status) => {
  const elsewhere = await startReceiver();
  const { url } = await startReceiver([status, { location: `${elsewhere.url}?key=${QUERY_KEY}` }]);
  const failure = await failureOf(url);
  expect(failure.nonRetryable).toBe(true);
  expect(failure.message).toContain('redirects are not followed');
  expect(elsewhere.received).toEqual([]);
});

test('a server that does not answer ends the attempt by its timeout, and is retried', async () => {
  const { url } = await startReceiver(() => undefined);
  const failure = await failureOf(url, { timeout: 100 });
  expect(failure.nonRetryable).toBe(false);
  expect(failure.message).toContain('no answer within 0.1 s');
});

test('a server that does not exist, or breaks the connection, is retried', async () => {
  const gone = await receiver();
  await gone.close();
  const refused = await failureOf(gone.url);
  expect(refused.nonRetryable).toBe(false);
  expect(refused.message).toContain('ECONNREFUSED');
  const { url } = await startReceiver((response) => response.socket?.destroy());
  expect(await failureOf(url)).toMatchObject({ type: 'OutletFailed', nonRetryable: false });
});

test('an answer of any length is success: it is not read', async () => {
  const { url } = await startReceiver((response) => {
    response.writeHead(200);
    const fill = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384)));
    };
    response.on('drain', fill);
    fill();
  });
  await send({ url });
  const silent = await startReceiver((response) => response.writeHead(202).flushHeaders());
  await send({ url: silent.url });
});

test('a variable that is not set is final, and named', async () => {
  const { url } = await startReceiver();
  const failure = await failureOf(url, { secret: { env: 'TEST_OUTLET_NOT_SET' } });
  expect(failure.nonRetryable).toBe(true);
  expect(failure.message).toContain('`TEST_OUTLET_NOT_SET` is not set; set it where the worker runs, for `secret`');
  const header = await failureOf(url, { headers: { 'X-Key': { env: 'TEST_OUTLET_NOT_SET' } } });
  expect(header.message).toContain('for the header `X-Key`');
});

test('a header value that HTTP forbids, and an invalid secret, are final, and nothing is sent', async () => {
  const server = await startReceiver();
  const header = await failureOf(server.url, { headers: { 'X-Key': `${TOKEN}\nX-Other: 1` } });
  expect(header).toMatchObject({ type: 'OutletFailed', nonRetryable: true });
  const secret = await failureOf(server.url, { secret: `whsec_${TOKEN}!` });
  expect(secret).toMatchObject({ type: 'OutletFailed', nonRetryable: true });
  expect(secret.message).toContain('Expected base64 after `whsec_`');
  expect(server.received).toEqual([]);
});

test('a cancel ends the attempt at once', async () => {
  const environment = quietEnvironment();
  const { url } = await startReceiver(() => environment.cancel());
  await expect(send(withSecrets(url), environment)).rejects.toBeInstanceOf(CancelledFailure);
});

test('an outlet that the worker does not have is retried: another worker may have it', async () => {
  const activity = createSendEvent({ outlets: {}, log: SILENT_LOG, watch: WATCH });
  for (const outlet of ['shop', 'toString']) {
    const sent = quietEnvironment().run(activity, { outlet, event });
    await expect(sent).rejects.toMatchObject({ type: 'UnknownOutlet', nonRetryable: false });
  }
});
