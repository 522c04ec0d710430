import { createHmac } from 'node:crypto';
import { HoldfastError, readWebhook } from 'holdfast/client';
import { signWebhook } from '../../../runtime/webhook-signature';
import { someEvent } from '../../activities/services/events';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'another secret, as plain text';
const NOW = Date.UTC(2026, 0, 1);
const event = someEvent();
const BODY = JSON.stringify(event);

/** A request that is signed with this secret. */
function request({ secret = SECRET, body = BODY, at = NOW, id = 'm1' } = {}) {
  const timestamp = String(at / 1000);
  const signature = signWebhook(secret, { id, timestamp, body });
  return {
    headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } as {
      [name: string]: string | string[];
    },
    body,
  };
}

/** The error text of a refused request. It contains no secret. */
function refused(more: object, type: HoldfastError['type'] = 'InvalidSignature'): string {
  try {
    readWebhook({ ...request(), secret: SECRET, now: NOW, ...more });
  } catch (error) {
    expect(error).toBeInstanceOf(HoldfastError);
    const { type: thrown, message } = error as HoldfastError;
    expect([thrown, message]).toEqual([type, expect.not.stringContaining(SECRET.slice(6))]);
    return message;
  }
  throw new Error('it was accepted');
}

it('signs as the reference implementation of Standard Webhooks does', () => {
  const parts = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330', body: '{"test": 2432232314}' };
  expect(signWebhook(SECRET, parts)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

it('signs with the text itself if the secret does not start with `whsec_`', () => {
  const expected = createHmac('sha256', OTHER).update(`i.1.${BODY}`).digest('base64');
  expect(signWebhook(OTHER, { id: 'i', timestamp: '1', body: BODY })).toBe(`v1,${expected}`);
});

it('returns the event, for headers in any form and a body as text or bytes', () => {
  const { headers, body } = request();
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  for (const form of [headers, upper, new Headers(headers as Record<string, string>)]) {
    expect(readWebhook({ headers: form, body, secret: SECRET, now: NOW })).toEqual(event);
    expect(readWebhook({ headers: form, body: Buffer.from(body), secret: SECRET, now: NOW })).toEqual(event);
  }
});

it('accepts any of several secrets, and any of several signatures', () => {
  expect(readWebhook({ ...request({ secret: OTHER }), secret: [SECRET, OTHER], now: NOW })).toEqual(event);
  const { headers, body } = request();
  const several = { ...headers, 'webhook-signature': `v1a,abc v1,${'A'.repeat(43)}= ${headers['webhook-signature']}` };
  expect(readWebhook({ headers: several, body, secret: SECRET, now: NOW })).toEqual(event);
});

it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('refuses a request without %s', (name) => {
  const { [name]: _, ...headers } = request().headers;
  expect(refused({ headers })).toContain(`no header \`${name}\``);
});

it.each<[string, object]>([
  ['another secret', request({ secret: OTHER })],
  ['an altered body', { body: BODY.replace('run-1', 'run-2') }],
  ['another id', { headers: { ...request().headers, 'webhook-id': 'm2' } }],
  ['another time', { headers: { ...request().headers, 'webhook-timestamp': String(NOW / 1000 - 1) } }],
  ['an empty signature', { headers: { ...request().headers, 'webhook-signature': 'v1,' } }],
  ['a part of the signature', { headers: { ...request().headers, 'webhook-signature': 'v1,g0hM9' } }],
  ['a signature of another version', { headers: { ...request().headers, 'webhook-signature': 'v2,abc' } }],
])('refuses %s', (_what, more) => {
  expect(refused(more)).toContain('its signature does not fit');
});

it('refuses requests that are older than the tolerance, or from the future', () => {
  expect(refused(request({ at: NOW - 301_000 }))).toContain('too old');
  expect(refused(request({ at: NOW + 301_000 }))).toContain('from the future');
  expect(readWebhook({ ...request({ at: NOW - 299_000 }), secret: SECRET, now: NOW })).toEqual(event);
  expect(refused({ ...request({ at: NOW - 11_000 }), tolerance: '10s' })).toContain('too old');
  expect(readWebhook({ ...request({ at: NOW - 3_600_000 }), secret: SECRET, now: NOW, tolerance: '2h' })).toEqual(
    event,
  );
  for (const timestamp of ['soon', '-1', '1e9', '', 'NaN', '9'.repeat(30)]) {
    refused({ headers: { ...request().headers, 'webhook-timestamp': timestamp } });
  }
});

it('uses the clock unless it gets the time', () => {
  const at = Math.floor(Date.now() / 1000) * 1000;
  expect(readWebhook({ ...request({ at }), secret: SECRET })).toEqual(event);
});

it.each<[string, string | string[]]>([
  ['none', []],
  ['an empty one', ''],
  ['one that is not set', [SECRET, undefined as unknown as string]],
  ['one that is not base64', 'whsec_not base64'],
])('never checks with a secret that could be guessed: %s', (_what, secret) => {
  const forged = request({ secret: '' });
  expect(refused({ ...forged, secret }, 'InvalidDefinition')).toContain('readWebhook.secret: Expected');
});

it.each<[string, string, string]>([
  ['a body without JSON', 'hello', 'not valid JSON'],
  ['no event', '[]', 'CloudEvent'],
  ['an event without subject', JSON.stringify({ ...event, subject: undefined }), '`subject`'],
  ['an event that is too large', JSON.stringify({ ...event, data: 'x'.repeat(1024 * 1024) }), 'reference to larger'],
])('refuses %s that is signed well', (_what, body, problem) => {
  expect(refused(request({ body }), 'InvalidEvent')).toContain(problem);
});
