import { createHmac, randomUUID } from 'node:crypto';

/** Posts an event, signed according to Standard Webhooks. It takes a dozen lines in any language. */
export async function postEvent(url: string, secret: string, event: object): Promise<number> {
  const id = randomUUID();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const body = JSON.stringify({ specversion: '1.0', id, source: 'carrier', ...event });
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const { status } = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/cloudevents+json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  });
  return status;
}
