import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { isNestedDeeper, MAX_PAYLOAD_DEPTH } from '../../../agent/values/json-depth';
import { RequestRefused } from '../failure';

/** Requests of which a body is read. */
const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** What a page of another origin cannot send without being asked first. */
const JSON_TYPE = /^application\/(?:json|cloudevents\+json)(?: *;|$)/i;

/** Refuses bodies that are too large, while they arrive. */
export function sizeGuard(max: number): MiddlewareHandler {
  return bodyLimit({
    maxSize: max,
    onError: () => {
      throw new RequestRefused(413, 'BodyTooLarge', `The body has more than ${max} bytes, the limit of this server.`);
    },
  });
}

/** Refuses bodies that are not JSON, or are nested too deeply for what reads them next. */
export const jsonGuard: MiddlewareHandler = async (c, next) => {
  if (WRITES.has(c.req.method)) {
    const text = await c.req.text();
    if (text !== '') {
      if (!JSON_TYPE.test(c.req.header('content-type') ?? '')) {
        throw new RequestRefused(415, 'NotJson', 'Send the body as `application/json`.');
      }
      const parsed = parse(text);
      if (isNestedDeeper(parsed, MAX_PAYLOAD_DEPTH)) throw invalid('The body is nested too deeply.');
    }
  }
  await next();
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('The body is not valid JSON.');
  }
}

/** A request that does not fit its route. */
export function invalid(message: string): RequestRefused {
  return new RequestRefused(400, 'InvalidRequest', message);
}
