import { WEBHOOK_TIMEOUT, type WebhookOutlet } from '../../agent/define/outlet';
import { messageOf } from '../../agent/errors/error';
import type { ServiceEvent } from '../../agent/protocol/event';
import { milliseconds } from '../../agent/values/duration';
import { linkedAbort } from '../../runtime/abort/linked-abort';
import { hideSecrets } from '../../runtime/secrets/redact';
import { credentialsOf, headerSecrets, urlSecrets } from '../../runtime/secrets/secret-values';
import { secretProblem, signWebhook } from '../../runtime/webhook-signature';
import { retryAfter } from '../failures/retry-after';
import { resolveHeaders, resolveValue } from '../resolve-values';
import { NotSent } from './not-sent';

/** Bytes of a response that are read, so that its connection can be reused. The content does not matter. */
const DRAINED = 64 * 1024;
/** Milliseconds that a receiver may ask to wait; one that asks for more is tried again after this. */
const LONGEST_WAIT = 3_600_000;
/** Statuses beside 5xx that may pass: timeout, too early, too many requests. */
const PASSING = new Set([408, 425, 429]);
const ADVICE: { [status: number]: string } = {
  401: 'check its `secret` and `headers`',
  403: 'check its `secret` and `headers`',
  404: 'check its `url`',
  405: 'check its `url`',
  410: 'check its `url`',
};

/**
 * Sends an event as a webhook: once, with a new time and signature.
 * @throws NotSent
 */
export async function sendWebhook(outlet: WebhookOutlet, event: ServiceEvent, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify(event);
  const headers = headersFor(outlet, event.id, body);
  const time = milliseconds(outlet.timeout) ?? WEBHOOK_TIMEOUT.default;
  const timeout = AbortSignal.timeout(time);
  const link = linkedAbort(signal, timeout);
  let response: Response;
  try {
    response = await fetch(outlet.url, { method: 'POST', headers, body, redirect: 'manual', signal: link.signal });
  } catch (error) {
    link.unlink();
    const problem = timeout.aborted ? `no answer within ${time / 1000} s` : connectionProblem(error, outlet);
    throw new NotSent(problem, { retry: true });
  }
  drain(response)
    .catch(() => undefined)
    .finally(link.unlink);
  if (!response.ok) throw refusal(response);
}

function headersFor(outlet: WebhookOutlet, id: string, body: string): Headers {
  const own = resolveHeaders(outlet.headers ?? {}, (variable, name) => missing(variable, `the header \`${name}\``));
  const secret =
    outlet.secret === undefined ? undefined : resolveValue(outlet.secret, (variable) => missing(variable, '`secret`'));
  const timestamp = String(Math.floor(Date.now() / 1000));
  try {
    const headers = new Headers(own);
    headers.set('content-type', 'application/cloudevents+json; charset=utf-8');
    headers.set('webhook-id', id);
    headers.set('webhook-timestamp', timestamp);
    if (secret !== undefined) headers.set('webhook-signature', signatureOf(secret, { id, timestamp, body }));
    return headers;
  } catch (error) {
    if (error instanceof NotSent) throw error;
    // The thrown error contains the invalid value.
    throw new NotSent('its headers cannot be sent: one of them has characters that HTTP forbids', { retry: false });
  }
}

function signatureOf(secret: string, parts: Parameters<typeof signWebhook>[1]): string {
  const problem = secretProblem(secret);
  if (problem !== undefined) throw new NotSent(`its secret cannot be used: ${problem}`, { retry: false });
  return signWebhook(secret, parts);
}

function missing(variable: string, what: string): NotSent {
  const problem = `the environment variable \`${variable}\` is not set; set it where the worker runs, for ${what}`;
  return new NotSent(problem, { retry: false });
}

function connectionProblem(error: unknown, { url, headers, secret }: WebhookOutlet): string {
  // The error of Node's fetch itself only says `fetch failed`.
  const cause = (error as { cause?: unknown }).cause ?? error;
  const { code } = cause as { code?: unknown };
  if (typeof code === 'string') return `the connection failed (${code})`;
  const signing = secret === undefined ? [] : credentialsOf(secret);
  const secrets = [...signing, ...headerSecrets(headers), ...urlSecrets(url)];
  return `the connection failed: ${hideSecrets(messageOf(cause), secrets)}`;
}

function refusal({ status, headers }: Response): NotSent {
  if (status < 400) {
    return new NotSent(`HTTP ${status}: redirects are not followed; correct its \`url\``, { retry: false });
  }
  if (status < 500 && !PASSING.has(status)) {
    const advice = ADVICE[status];
    return new NotSent(`HTTP ${status}${advice === undefined ? '' : `: ${advice}`}`, { retry: false });
  }
  const asked = retryAfter(headers, Date.now());
  return new NotSent(`HTTP ${status}`, {
    retry: true,
    wait: asked === undefined ? undefined : Math.min(asked, LONGEST_WAIT),
  });
}

async function drain({ body }: Response): Promise<void> {
  let size = 0;
  for await (const chunk of body ?? []) {
    size += (chunk as Uint8Array).length;
    // Returning cancels the rest.
    if (size > DRAINED) return;
  }
}
