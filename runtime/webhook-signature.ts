import { createHmac, timingSafeEqual } from 'node:crypto';

/** The parts that a signature of Standard Webhooks covers. */
export interface SignedParts {
  /** Header `webhook-id`. */
  id: string;
  /** Header `webhook-timestamp`, seconds since 1970. */
  timestamp: string;
  /** The body, byte for byte. */
  body: string | Uint8Array;
}

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const VERSION = 'v1,';

/** What is wrong with a secret, without repeating it. */
export function secretProblem(secret: unknown): string | undefined {
  // With an empty key anyone could sign.
  if (typeof secret !== 'string' || secret.trim() === '') return 'Expected a secret, it is empty';
  const text = secret.trim();
  const fits = !text.startsWith(PREFIX) || BASE64.test(text.slice(PREFIX.length));
  return fits ? undefined : 'Expected base64 after `whsec_`';
}

/** The header `webhook-signature`. */
export function signWebhook(secret: string, { id, timestamp, body }: SignedParts): string {
  const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body);
  return VERSION + hmac.digest('base64');
}

/** Whether one of the signatures of a header is made with one of the secrets, in constant time. */
export function isSignedBy(secrets: readonly string[], header: string, parts: SignedParts): boolean {
  const given = header.split(' ').map((signature) => Buffer.from(signature));
  const expected = secrets.map((secret) => Buffer.from(signWebhook(secret, parts)));
  return expected.some((wanted) => given.some((one) => one.length === wanted.length && timingSafeEqual(one, wanted)));
}

/** A secret of Standard Webhooks is base64; any other text is the key itself. */
function keyOf(secret: string): Buffer {
  const text = secret.trim();
  return text.startsWith(PREFIX) ? Buffer.from(text.slice(PREFIX.length), 'base64') : Buffer.from(text, 'utf8');
}
