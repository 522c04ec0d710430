import { HoldfastError } from '../../agent/errors/error';
import { checkEvent, type ServiceEvent } from '../../agent/protocol/event';
import { type Duration, milliseconds } from '../../agent/values/duration';
import { isSignedBy, secretProblem } from '../../runtime/webhook-signature';

/** What {@link readWebhook} takes. */
export interface ReadWebhookOptions {
  /** Of the request, as Node's `http` or `fetch` have them. */
  headers: Headers | { readonly [name: string]: string | readonly string[] | undefined };
  /** The body as it came: parsed and written again it would no longer fit its signature. */
  body: string | Uint8Array;
  /** What the sender signs with, as its outlet has it; or several, while one replaces another. */
  secret: string | readonly string[];
  /** How far the sender's clock may be off, and how long an attempt may be under way. Default 5 min. */
  tolerance?: Duration;
  /** Milliseconds since 1970. Default: now. */
  now?: number;
}

const DEFAULT_TOLERANCE = 300_000;

/**
 * The event of a webhook that was signed as Standard Webhooks say. It may come more than once: whoever acts on it tells
 * by its `id`.
 * @throws HoldfastError `InvalidSignature`, `InvalidEvent`; `InvalidDefinition` where secret or tolerance is none
 */
export function readWebhook({ headers, body, secret, tolerance, now = Date.now() }: ReadWebhookOptions): ServiceEvent {
  const secrets = secretsOf(secret);
  const allowed = toleranceOf(tolerance);
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    return headerOf(headers, name) ?? refuse(`it has no header \`${name}\``);
  }) as [string, string, string];
  if (!/^\d{1,12}$/.test(timestamp)) refuse('its `webhook-timestamp` is no time');
  const age = now - Number(timestamp) * 1000;
  if (age > allowed) refuse('it is too old; was it sent before, or is a clock wrong?');
  if (-age > allowed) refuse('it comes from the future; is a clock wrong?');
  if (!isSignedBy(secrets, signature, { id, timestamp, body })) refuse('its signature does not fit');
  return checkEvent(parse(body));
}

function secretsOf(given: string | readonly string[]): string[] {
  const secrets = [given].flat();
  const problem = secrets.length === 0 ? 'Expected a secret, there is none' : secrets.map(secretProblem).find(Boolean);
  if (problem === undefined) return secrets;
  throw new HoldfastError('InvalidDefinition', { place: 'readWebhook.secret', problem });
}

function toleranceOf(given: Duration = DEFAULT_TOLERANCE): number {
  const tolerance = milliseconds(given);
  if (tolerance !== undefined) return tolerance;
  const problem = `Expected milliseconds or a duration such as '5m', got \`${String(given)}\``;
  throw new HoldfastError('InvalidDefinition', { place: 'readWebhook.tolerance', problem });
}

function headerOf(headers: ReadWebhookOptions['headers'], name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.join(' ');
}

/** Not by the class: there are several of this name, such as that of undici. */
function isHeaders(headers: ReadWebhookOptions['headers']): headers is Headers {
  return typeof headers.get === 'function';
}

function parse(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    throw new HoldfastError('InvalidEvent', { problem: 'Its body is no JSON' });
  }
}

function refuse(problem: string): never {
  throw new HoldfastError('InvalidSignature', { problem });
}
