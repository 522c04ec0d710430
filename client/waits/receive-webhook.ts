import { HoldfastError } from '../../agent/errors/error';
import { checkEvent, type ServiceEvent } from '../../agent/protocol/event';
import { type Duration, milliseconds } from '../../agent/values/duration';
import { isSignedBy, secretProblem } from '../../runtime/webhook-signature';

/** Options of {@link readWebhook}. */
export interface ReadWebhookOptions {
  /** The headers of the request, in the form of Node's `http` or of `fetch`. */
  headers: Headers | { readonly [name: string]: string | readonly string[] | undefined };
  /** The raw body. A body that was parsed and serialised again does not match its signature. */
  body: string | Uint8Array;
  /** The secret of the sender's outlet, or several while one replaces another. */
  secret: string | readonly string[];
  /** How far the sender's clock may be off, and how long an attempt may take to arrive. Default 5 min. */
  tolerance?: Duration;
  /** Milliseconds since 1970. Default: now. */
  now?: number;
}

const DEFAULT_TOLERANCE = 300_000;

/**
 * Reads the event of a webhook that is signed according to Standard Webhooks. The same event may arrive more than once:
 * the receiver can tell by its `id`.
 * @throws HoldfastError `InvalidSignature`, `InvalidEvent`; `InvalidDefinition` for an invalid secret or tolerance
 */
export function readWebhook({ headers, body, secret, tolerance, now = Date.now() }: ReadWebhookOptions): ServiceEvent {
  const secrets = secretsOf(secret);
  const allowed = toleranceOf(tolerance);
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    return headerOf(headers, name) ?? refuse(`it has no header \`${name}\``);
  }) as [string, string, string];
  if (!/^\d{1,12}$/.test(timestamp)) refuse('its `webhook-timestamp` is not a time');
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

/** Not checked by class: there are several with this name, such as that of undici. */
function isHeaders(headers: ReadWebhookOptions['headers']): headers is Headers {
  return typeof headers.get === 'function';
}

function parse(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    throw new HoldfastError('InvalidEvent', { problem: 'Its body is not valid JSON' });
  }
}

function refuse(problem: string): never {
  throw new HoldfastError('InvalidSignature', { problem });
}
